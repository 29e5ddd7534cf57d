/** Proving a phone by a one-time code: the fields are looked at, a code is sent, and what it opens follows. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { CodeStep } from './code-step.tsx';
import type { Names } from './name-fields.tsx';
import { usePersonFaults } from './person-faults.ts';
import { usePhonePlan } from './phone-field.tsx';

interface Wish {
  phone: string;
  names?: Names;
  hint: 'login' | 'signUp' | 'setup';
  /** Asks for a code. */
  send(): Promise<unknown>;
  verify(code: string): Promise<void>;
}

/** `step` takes the place of the form once a code was sent; `end` stands below the form's fields. */
export function usePhoneProof({ phone, names, hint, send, verify }: Wish) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const phones = usePhonePlan();
  const { check, refused, labels } = usePersonFaults(phones.plan);
  const form = useSubmit(async () => {
    check(phone, names);
    await send().catch(refused);
    setAsked(true);
  });
  const step = asked ? (
    <CodeStep
      phone={phones.plan?.shown(phone) ?? phone}
      labels={labels}
      send={send}
      verify={(code) => verify(code).catch(refused)}
      onBack={() => setAsked(false)}
      hint={hint}
    />
  ) : null;
  const end = (
    <>
      <FormError error={form.error} labels={labels} />
      <Button type="submit" fullWidth mt="lg" size="xl" loading={form.busy}>
        {t('signIn.send')}
      </Button>
    </>
  );
  const { submit, error } = form;
  return { submit, error, phones, step, end };
}
