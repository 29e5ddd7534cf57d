/** Says that choices lie under the bar of buttons, where nobody would look for them, until the last one is in view. */
import { useEffect, useState } from 'react';
import type { Model } from 'survey-core';

export function ScrollHint({ model, word }: { model: Model; word: string }) {
  const [below, setBelow] = useState(false);
  useEffect(() => {
    const look = () => setBelow(lastChoiceIsBelow());
    // Choices come and go with the question, and with the answers.
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
  // A screen reader counts the choices by itself.
  return below ? (
    <p className="more-below" aria-hidden="true">
      {word}
    </p>
  ) : null;
}

/** By more than half of it. */
function lastChoiceIsBelow(): boolean {
  const last = [...document.querySelectorAll('.interview .sd-item')].at(-1)?.getBoundingClientRect();
  const bar = document.querySelector('.actions')?.getBoundingClientRect();
  return last !== undefined && bar !== undefined && (last.top + last.bottom) / 2 > bar.top;
}
