/** A window that asks before something is done, with its consequence in words; it stays open where it was refused. */
import { Button, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormError, useSubmit } from '../ui/form.tsx';
import { useDeskText } from './desk-text.ts';

interface DialogProps {
  title: string;
  /** What happens, in words. */
  text?: ReactNode;
  /** The button that does it. */
  yes: string;
  /** It can not be undone. */
  danger?: boolean;
  /** Wide, where there is much to read. */
  size?: 'xl';
  /** Not ready to be sent yet. */
  disabled?: boolean;
  /** Fields, for what the act needs to know. */
  children?: ReactNode;
  /** Stays open where this answers false: there is something to read. */
  onYes(): Promise<unknown>;
  onClose(): void;
}

export function Dialog({ title, text, yes, danger, size, disabled, children, onYes, onClose }: DialogProps) {
  const { t } = useDeskText();
  const { submit, busy, error } = useSubmit(async () => {
    if ((await onYes()) !== false) onClose();
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      {...(size ? { size } : {})}
      closeButtonProps={{ 'aria-label': t('common.close'), size: 48 }}
    >
      <form onSubmit={submit} noValidate>
        {text ? <Text component="div">{text}</Text> : null}
        {children}
        <FormError error={error} />
        <div className="ask-buttons">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            loading={busy}
            disabled={disabled ?? false}
            {...(danger ? { color: 'red.9' } : {})}
          >
            {yes}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface DialogButtonProps extends Omit<DialogProps, 'onClose' | 'title'> {
  label: string;
  title?: string;
  /** Which record, for those who do not see the row. */
  about?: string;
  small?: boolean;
}

export function DialogButton({ label, title, about, small, ...ask }: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        {...(small ? { size: 'sm' } : {})}
        {...(about ? { 'aria-label': `${label}: ${about}` } : {})}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {open ? <Dialog title={title ?? label} {...ask} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
