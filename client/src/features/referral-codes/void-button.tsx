/** Withdrawing coupons asks why: the reason is kept with the change. */
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useDeskText } from '../../desk/desk-text.ts';
import { DialogButton } from '../../desk/dialog.tsx';

interface VoidButtonProps {
  /** Which record; none where the button stands for what is chosen. */
  about?: string;
  title: string;
  text: ReactNode;
  onVoid(reason: string): Promise<void>;
}

export function VoidButton({ about, title, text, onVoid }: VoidButtonProps) {
  const { t } = useDeskText();
  const [reason, setReason] = useState('');
  return (
    <DialogButton
      small
      danger
      label={t('common.void')}
      {...(about ? { about } : {})}
      title={title}
      text={text}
      yes={t('common.void')}
      disabled={reason.trim() === ''}
      onYes={() => onVoid(reason)}
    >
      <TextInput
        mt="md"
        label={t('common.reason')}
        description={t('coupons.reasonWhat')}
        required
        data-autofocus
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogButton>
  );
}
