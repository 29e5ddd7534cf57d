/** Why something was changed: the history shows it. */
import { TextInput } from '@mantine/core';
import { useDeskText } from '../../desk/desk-text.ts';

interface ReasonInputProps {
  value: string;
  required?: boolean;
  onChange(text: string): void;
}

export function ReasonInput({ value, required = false, onChange }: ReasonInputProps) {
  const { t } = useDeskText();
  return (
    <TextInput
      mt="md"
      label={t('common.reason')}
      description={t(required ? 'surveys.reasonWhat' : 'surveys.reasonChoice')}
      required={required}
      {...(required ? { 'data-autofocus': true } : {})}
      maxLength={500}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
