/** What was just done, at the foot of the window, with the way back where there is one. */
import { Button, CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useDeskText } from './desk-text.ts';

interface Message {
  text: string;
  bad?: boolean;
  undo?: () => void;
}

const LONG_ENOUGH = 12_000;

export function useToast() {
  const [message, show] = useState<Message | null>(null);
  useEffect(() => {
    // What failed stays until someone has read it.
    if (!message || message.bad) return;
    const timer = setTimeout(() => show(null), LONG_ENOUGH);
    return () => clearTimeout(timer);
  }, [message]);
  return { message, show };
}

export function Toast({ message, show }: ReturnType<typeof useToast>) {
  const { t } = useDeskText();
  return (
    <div className="desk-said" role={message?.bad ? 'alert' : 'status'}>
      {message ? (
        <div data-tone={message.bad ? 'bad' : 'good'}>
          <span>{message.text}</span>
          {message.undo ? (
            <Button
              variant="white"
              size="sm"
              h={44}
              onClick={() => {
                show(null);
                message.undo?.();
              }}
            >
              {t('common.undo')}
            </Button>
          ) : null}
          <CloseButton aria-label={t('common.close')} size={44} c="inherit" onClick={() => show(null)} />
        </div>
      ) : null}
    </div>
  );
}
