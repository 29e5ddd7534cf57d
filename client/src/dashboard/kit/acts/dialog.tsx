/** A dialog that asks before an action and states its consequence. It stays open if the action fails. */
import { Button, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { OpenButton } from '../buttons/open-button.tsx';
import { useDeskText } from '../words/desk-text.ts';
import { DeskModal } from './desk-modal.tsx';
import { FormRefusal } from './fields.tsx';

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
  /** It asks why, and what becomes of the reason. */
  reason?: { what: string; required?: boolean; most?: number };
  /** Fields, for what the act needs to know. */
  children?: ReactNode;
  /** Stays open where this answers false: there is something to read. */
  onYes(reason: string): Promise<unknown>;
  onClose(): void;
}

export function Dialog(props: DialogProps) {
  const { title, text, yes, danger, size, disabled, reason, children, onYes, onClose } = props;
  const { t } = useDeskText();
  const [why, setWhy] = useState('');
  const { submit, busy, error } = useSubmit(async () => {
    if ((await onYes(why.trim())) !== false) onClose();
  });
  return (
    <DeskModal onClose={onClose} title={title} size={size}>
      <form onSubmit={submit} noValidate>
        {text ? <Text component="div">{text}</Text> : null}
        <FormRefusal value={error}>{children}</FormRefusal>
        {reason ? (
          <TextInput
            mt="md"
            label={t('common.reason')}
            description={reason.what}
            required={reason.required ?? false}
            data-autofocus={reason.required || undefined}
            maxLength={reason.most ?? 1000}
            value={why}
            onChange={(event) => setWhy(event.currentTarget.value)}
          />
        ) : null}
        <FormError error={error} />
        <div className="ask-buttons">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            loading={busy}
            disabled={disabled || (reason?.required && why.trim() === '')}
            color={danger ? 'red.9' : undefined}
          >
            {yes}
          </Button>
        </div>
      </form>
    </DeskModal>
  );
}

interface DialogButtonProps extends Omit<DialogProps, 'onClose' | 'title'> {
  label: string;
  title?: string;
  /** Which record, for those who do not see the row. */
  recordName?: string;
  small?: boolean;
}

export function DialogButton({ label, title = label, recordName, small, ...ask }: DialogButtonProps) {
  return (
    <OpenButton variant="default" size={small ? 'sm' : undefined} label={label} recordName={recordName}>
      {(close) => <Dialog title={title} {...ask} onClose={close} />}
    </OpenButton>
  );
}
