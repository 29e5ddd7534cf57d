/** Why an answer is corrected: in own words, or with a tap in those that are needed most. The history shows it. */
import { Button, Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/page.tsx';

const OFTEN = ['misheard', 'mistyped', 'toldLater'] as const;

interface ReasonFieldProps {
  value: string;
  /** It was to be saved without one. */
  missing: boolean;
  onChange(text: string): void;
}

export function ReasonField({ value, missing, onChange }: ReasonFieldProps) {
  const { t } = useTranslation();
  return (
    <Card>
      <TextInput
        ref={(field) => {
          if (missing && value === '') field?.focus();
        }}
        label={t('workItem.why')}
        description={t('workItem.whyWhat')}
        error={missing && value.trim() === '' ? t('workItem.whyMissing') : undefined}
        required
        maxLength={500}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap="xs" mt="sm">
        {OFTEN.map((name) => (
          <Button
            key={name}
            variant="default"
            size="sm"
            aria-pressed={value === t(`workItem.often.${name}`)}
            onClick={() => onChange(t(`workItem.often.${name}`))}
          >
            {t(`workItem.often.${name}`)}
          </Button>
        ))}
      </Group>
    </Card>
  );
}
