/** A button that asks for confirmation. Red if the action can't be undone. */
import { Button, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shieldFromTaps } from './tap-shield.ts';

interface ConfirmButtonProps {
  label: string;
  question: string;
  yes: string;
  fullWidth?: boolean;
  /** Nothing is lost, so the button isn't red. */
  harmless?: boolean;
  size?: 'xl';
  /** Checked on press; confirmation is only asked for if this returns true. */
  when?: () => boolean;
  onYes: () => unknown;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, question, yes, fullWidth, harmless, size, when, onYes } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  // Closing the dialog before unmounting it returns the focus to where it was.
  const close = () => dialog.current?.close();
  const show = (element: HTMLDialogElement | null) => {
    dialog.current = element;
    if (!element || element.open) return;
    element.showModal();
    shieldFromTaps();
  };
  return (
    <>
      <Button
        variant="default"
        fullWidth={fullWidth ?? false}
        {...(size ? { size, px: 'lg' } : {})}
        onClick={() => {
          if (when?.() === false) {
            shieldFromTaps();
            void onYes();
          } else setOpen(true);
        }}
      >
        {label}
      </Button>
      {open ? (
        <dialog ref={show} className="confirm" aria-label={label} onClose={() => setOpen(false)}>
          <Text mb="lg" size="lg">
            {question}
          </Text>
          <div className="ask-buttons">
            <Button variant="default" onClick={close}>
              {t('common.no')}
            </Button>
            <Button
              color={harmless ? undefined : 'red.9'}
              onClick={() => {
                close();
                void onYes();
              }}
            >
              {yes}
            </Button>
          </div>
        </dialog>
      ) : null}
    </>
  );
}
