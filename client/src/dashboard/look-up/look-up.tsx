/**
 * The search field at the top of the dashboard, for coupons, people, and sites. / and Ctrl+K focus it; ? shows all
 * shortcuts.
 */
import './look-up.css';
import '../kit/buttons/restore-focus.ts';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { isDialogOpen, letterOfKeyEvent, letterShortcutOf } from '../kit/buttons/letter-keys.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { Finder } from './finder.tsx';
import { KeyboardShortcuts } from './keys.tsx';

type Window = 'find' | 'keys' | null;

export default function LookUp() {
  const { t } = useDashboardText();
  const [open, setOpen] = useState<Window>(null);
  useKeys(setOpen);
  const close = () => setOpen(null);
  return (
    <>
      <button
        type="button"
        className="look-up"
        aria-label={t('lookUp.open')}
        aria-keyshortcuts="/ Control+K"
        onClick={() => setOpen('find')}
      >
        <Icon name="find" size={18} />
        <span>{t('lookUp.open')}</span>
        <i className="look-up-key" aria-hidden="true">
          /
        </i>
      </button>
      {open === 'find' ? <Finder onClose={close} onKeys={() => setOpen('keys')} /> : null}
      {open === 'keys' ? <KeyboardShortcuts onClose={close} /> : null}
    </>
  );
}

const WINDOWS: Record<string, Window> = { '/': 'find', '?': 'keys' };

function useKeys(onAsked: (window: Window) => void): void {
  useWindowEvent('keydown', (event) => {
    const isK = letterOfKeyEvent(event) === 'k' && (event.ctrlKey || event.metaKey);
    const target = isK && !isDialogOpen() ? 'find' : WINDOWS[letterShortcutOf(event) ?? ''];
    if (!target) return;
    event.preventDefault();
    onAsked(target);
  });
}
