/** A button for what needs a second thought: it asks, in words, before it does. Red for what can't be undone. */
import { Button, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shieldFromTaps } from './tap-shield.ts';

interface ConfirmButtonProps {
  label: string;
  question: string;
  yes: string;
  fullWidth?: boolean;
  /** Nothing is lost by it. */
  harmless?: boolean;
  size?: 'xl';
  /** Asks only where this holds when it is pressed. */
  when?: () => boolean;
  onYes: () => unknown;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, question, yes, fullWidth, harmless, size, when, onYes } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        fullWidth={fullWidth ?? false}
        {...(size ? { size, px: 'lg' } : {})}
        onClick={() => {
          shieldFromTaps();
          if (when?.() === false) void onYes();
          else setOpen(true);
        }}
      >
        {label}
      </Button>
      <Modal.Root opened={open} onClose={() => setOpen(false)} centered>
        <Modal.Overlay />
        <Modal.Content aria-label={label}>
          <Modal.Body p="lg">
            <Text mb="lg" size="lg">
              {question}
            </Text>
            <div className="ask-buttons">
              <Button variant="default" onClick={() => setOpen(false)}>
                {t('common.no')}
              </Button>
              <Button
                {...(harmless ? {} : { color: 'red.9' })}
                onClick={() => {
                  setOpen(false);
                  void onYes();
                }}
              >
                {yes}
              </Button>
            </div>
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}
