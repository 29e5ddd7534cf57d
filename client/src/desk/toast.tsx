/** What was just done, at the foot of the window, with the way back where there is one. */
import { Button, CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useDeskText } from './desk-text.ts';

export interface Saying {
  text: string;
  bad?: boolean;
  undo?: () => void;
}

const LONG_ENOUGH = 12_000;

export function useSaid() {
  const [said, say] = useState<Saying | null>(null);
  useEffect(() => {
    // What failed stays until someone has read it.
    if (!said || said.bad) return;
    const timer = setTimeout(() => say(null), LONG_ENOUGH);
    return () => clearTimeout(timer);
  }, [said]);
  return { said, say };
}

export function Said({ said, say }: ReturnType<typeof useSaid>) {
  const { t } = useDeskText();
  return (
    <div className="desk-said" role={said?.bad ? 'alert' : 'status'}>
      {said ? (
        <div data-tone={said.bad ? 'bad' : 'good'}>
          <span>{said.text}</span>
          {said.undo ? (
            <Button
              variant="white"
              size="sm"
              h={44}
              onClick={() => {
                say(null);
                said.undo?.();
              }}
            >
              {t('common.undo')}
            </Button>
          ) : null}
          <CloseButton aria-label={t('common.close')} size={44} c="inherit" onClick={() => say(null)} />
        </div>
      ) : null}
    </div>
  );
}
