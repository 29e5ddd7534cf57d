/** What the cards of the study's form share: its settings as they stand, and fields for its numbers. */
import { NumberInput } from '@mantine/core';
import { useDeskText } from '../../desk/desk-text.ts';
import { useAbility } from '../../session.tsx';
import { faultOf } from '../../ui/field-error.ts';
import type { Study } from '../../wire.ts';

export type Settings = Omit<Study, 'updatedAt'>;

export interface StudyFormState {
  now: Settings;
  set(change: Partial<Settings>): void;
  error: unknown;
}

type NumberField =
  | 'couponsPerSurvey'
  | 'couponValidDays'
  | 'couponStartsAfterHours'
  | 'targetSampleSize'
  | 'populationSizeLow'
  | 'populationSize'
  | 'populationSizeHigh'
  | 'smallestCell';

interface NumberFieldsProps {
  form: StudyFormState;
  fields: [field: NumberField, min: number, max: number, empty: boolean][];
}

export function NumberFields({ form: { now, set, error }, fields }: NumberFieldsProps) {
  const { t } = useDeskText();
  const ability = useAbility();
  return fields.map(([field, min, max, empty]) => (
    <NumberInput
      key={field}
      mt="md"
      size="md"
      label={t(`study.fields.${field}`)}
      description={t(`study.what.${field}`)}
      min={min}
      max={max}
      allowDecimal={false}
      thousandSeparator={max > 9999}
      disabled={!ability.can('update', 'Study', field)}
      error={faultOf(error, field)}
      value={now[field] ?? ''}
      onChange={(value) => set({ [field]: value === '' && empty ? null : value })}
    />
  ));
}
