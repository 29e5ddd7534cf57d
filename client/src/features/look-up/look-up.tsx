/** One field at the top of the dashboard: a coupon's code, a person, a site. The keys / and Ctrl+K reach it. */
import './look-up.css';
import { useEffect, useState } from 'react';
import { useDeskText } from '../../desk/desk-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Finder } from './finder.tsx';

export default function LookUp() {
  const { t } = useDeskText();
  const [open, setOpen] = useState(false);
  useKeys(() => setOpen(true));
  return (
    <>
      <button type="button" className="look-up" aria-keyshortcuts="/ Control+K" onClick={() => setOpen(true)}>
        <Icon name="find" size={18} />
        <span>{t('lookUp.open')}</span>
        <i className="look-up-key" aria-hidden="true">
          /
        </i>
      </button>
      {open ? <Finder onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Whoever is writing writes a stroke, and where a window asks something it comes first. */
function useKeys(onAsked: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      const isStroke = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isK && !(isStroke && !isWriting(event.target))) return;
      if (document.querySelector('[aria-modal="true"]')) return;
      event.preventDefault();
      onAsked();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));
