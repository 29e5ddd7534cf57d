/** A dialog that asks before an action and states its consequence. It stays open if the action fails. */
import { Button, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { OpenButton } from '../buttons/open-button.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';
import { DashboardModal } from './dashboard-modal.tsx';
import { FormErrorContext } from './fields.tsx';

interface DialogProps {
  title: string;
  /** Explains what will happen. */
  text?: ReactNode;
  /** Label of the confirm button. */
  yes: string;
  /** Can't be undone. */
  danger?: boolean;
  /** For a lot of text. */
  size?: 'xl';
  /** Disables the confirm button, for example while a field is empty. */
  disabled?: boolean;
  /** Asks for a reason; `what` explains where the reason will appear. */
  reason?: { what: string; required?: boolean; most?: number };
  /** Extra fields. */
  children?: ReactNode;
  /** If this resolves to `false`, the dialog stays open because it has a result to show. */
  onYes(reason: string): Promise<unknown>;
  onClose(): void;
}

export function Dialog(props: DialogProps) {
  const { title, text, yes, danger, size, disabled, reason, children, onYes, onClose } = props;
  const { t } = useDashboardText();
  const [why, setWhy] = useState('');
  const { submit, busy, error } = useSubmit(async () => {
    if ((await onYes(why.trim())) !== false) onClose();
  });
  return (
    <DashboardModal onClose={onClose} title={title} size={size}>
      <form onSubmit={submit} noValidate>
        {text ? <Text component="div">{text}</Text> : null}
        <FormErrorContext value={error}>{children}</FormErrorContext>
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
    </DashboardModal>
  );
}

interface DialogButtonProps extends Omit<DialogProps, 'onClose' | 'title'> {
  label: string;
  title?: string;
  /** Names the record for screen readers. */
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
