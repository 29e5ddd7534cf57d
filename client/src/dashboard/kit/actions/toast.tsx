/** A message at the bottom of the window about what was just done, with an undo button if it can be undone. */
import { CloseButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { PlainButton } from '../buttons/dashboard-button.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';

export interface ToastMessage {
  text: string;
  bad?: boolean;
  undo?: () => void;
}

const TOAST_MS = 12_000;

interface ToastProps {
  message: ToastMessage | null;
  show(message: ToastMessage | null): void;
}

export function Toast({ message, show }: ToastProps) {
  const { t } = useDashboardText();
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    // An error stays until it is dismissed.
    if (!message || message.bad) return;
    // Stays open while keyboard focus is on one of its buttons.
    const timer = setInterval(() => {
      if (!document.querySelector('.dashboard-said :focus-visible')) latest.current(null);
    }, TOAST_MS);
    return () => clearInterval(timer);
  }, [message]);
  return (
    <div className="dashboard-said" role={message?.bad ? 'alert' : 'status'}>
      {message ? (
        <div data-tone={message.bad ? 'bad' : 'good'}>
          <span>{message.text}</span>
          {message.undo ? (
            <PlainButton
              label={t('common.undo')}
              variant="white"
              onClick={() => {
                show(null);
                message.undo?.();
              }}
            />
          ) : null}
          <CloseButton aria-label={t('common.close')} size={44} c="inherit" onClick={() => show(null)} />
        </div>
      ) : null}
    </div>
  );
}
