/** A button for what can't be undone: it asks, in words, before it does. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface ConfirmButtonProps {
  label: string;
  question: string;
  yes: string;
  fullWidth?: boolean;
  onYes: () => unknown;
}

export function ConfirmButton({ label, question, yes, fullWidth, onYes }: ConfirmButtonProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" fullWidth={fullWidth ?? false} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal.Root opened={open} onClose={() => setOpen(false)} centered>
        <Modal.Overlay />
        <Modal.Content aria-label={label}>
          <Modal.Body p="lg">
            <Text mb="lg" size="lg">
              {question}
            </Text>
            <Group grow>
              <Button variant="default" onClick={() => setOpen(false)}>
                {t('common.no')}
              </Button>
              <Button
                color="red.9"
                onClick={() => {
                  setOpen(false);
                  void onYes();
                }}
              >
                {yes}
              </Button>
            </Group>
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}
