/** Shows that choices or text are hidden below the button bar, until the last one is visible. */
import { useEffect, useState } from 'react';
import type { Model } from 'survey-core';

const LINE_PX = 20;

export function MoreBelowHint({ model, word }: { model: Model; word: string }) {
  const [below, setBelow] = useState(false);
  useEffect(() => {
    const look = () => setBelow(endIsBelow());
    // Choices change with the question, and with the answers.
    const form = document.querySelector('.interview');
    const sizes = new ResizeObserver(look);
    if (form) sizes.observe(form);
    model.onAfterRenderQuestion.add(look);
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      sizes.disconnect();
      model.onAfterRenderQuestion.remove(look);
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [model]);
  // Hidden from screen readers, which count the choices themselves.
  return below ? (
    <p className="more-below" aria-hidden="true">
      {word}
    </p>
  ) : null;
}

/** True if at least half of the last choice, or the last line of a text, is below the bar. */
function endIsBelow(): boolean {
  const last = [...document.querySelectorAll('.interview .sd-item, .interview .sd-html')].at(-1);
  const bar = document.querySelector('.actions')?.getBoundingClientRect();
  if (!last || !bar) return false;
  const { top, bottom } = last.getBoundingClientRect();
  return Math.max(bottom - LINE_PX, (top + bottom) / 2) > bar.top;
}
