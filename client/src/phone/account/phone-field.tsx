/** A field for a phone number, with an example in the region's format. */
import { TextInput } from '@mantine/core';
import { type RefObject, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toLatinDigits } from '../../../../src/platform/lib/text/latin-digits.ts';
import { usePublicStudy } from '../../session/records.ts';
import { rewriteTypedText } from '../../ui/rewrite-input.ts';
import type { PhoneNumberFormatter } from './phone-plan.ts';

export interface PhoneNumberingPlanState {
  /** Null until loaded, or if it can't be loaded; the service checks the number in any case. */
  plan: PhoneNumberFormatter | null;
  load(): void;
}

/** Loaded when the field is first touched, so people who are signed in never load it. */
export function usePhoneNumberingPlan(): PhoneNumberingPlanState {
  const region = usePublicStudy().data?.region;
  const [plan, setPlan] = useState<PhoneNumberFormatter | null>(null);
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    if (!region || !isNeeded) return;
    let current = true;
    const load = async () => {
      const { phonePlanOf: planOf } = await import('./phone-plan.ts');
      if (current) setPlan(planOf(region));
    };
    void load().catch(() => undefined);
    return () => {
      current = false;
    };
  }, [region, isNeeded]);
  const load = useCallback(() => setNeeded(true), []);
  return { plan, load };
}

interface PhoneFieldProps {
  value: string;
  onChange(phone: string): void;
  description: string;
  phones: PhoneNumberingPlanState;
  fault: string | undefined;
  field: RefObject<HTMLInputElement | null>;
}

export function PhoneField({
  value,
  onChange,
  description,
  phones: { plan, load },
  fault,
  field,
}: PhoneFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      ref={field}
      mt="md"
      label={t('signIn.phone')}
      description={description}
      placeholder={plan?.example ? t('newcomer.example', { phone: plan.example }) : ''}
      type="tel"
      // Autofill is offered while the field is empty, then turned off so that the browser doesn't store what is
      // typed.
      autoComplete={value ? 'off' : 'tel'}
      inputMode="tel"
      required
      value={value}
      error={fault}
      onFocus={load}
      onChange={(event) => {
        // Autofill doesn't focus the field.
        load();
        onChange(rewriteTypedText(event.currentTarget, toLatinDigits));
      }}
    />
  );
}
