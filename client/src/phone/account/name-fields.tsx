/** First name, last name, and email: at sign-up, at the first setup, and in the profile. */
import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldFaultOf } from '../../ui/field-error.ts';

export interface PersonNameValues {
  firstName: string;
  lastName: string;
  email: string;
}

interface NameFieldsProps {
  value: PersonNameValues;
  onChange(value: PersonNameValues): void;
  error: unknown;
}

export function NameFields({ value, onChange, error }: NameFieldsProps) {
  const { t } = useTranslation();
  const set = (change: Partial<PersonNameValues>) => onChange({ ...value, ...change });
  const fault = (path: string) => fieldFaultOf(error, path);
  return (
    <>
      <div className="side-by-side">
        <TextInput
          label={t('names.first')}
          autoComplete="given-name"
          required
          value={value.firstName}
          error={fault('firstName')}
          onChange={(event) => set({ firstName: event.currentTarget.value })}
        />
        <TextInput
          label={t('names.last')}
          autoComplete="family-name"
          required
          value={value.lastName}
          error={fault('lastName')}
          onChange={(event) => set({ lastName: event.currentTarget.value })}
        />
      </div>
      <TextInput
        mt="md"
        label={t('names.email')}
        type="email"
        autoComplete="email"
        value={value.email}
        error={fault('email')}
        onChange={(event) => set({ email: event.currentTarget.value })}
      />
    </>
  );
}
