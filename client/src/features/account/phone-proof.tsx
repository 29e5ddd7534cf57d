/** Proving a phone by a one-time code: the fields are looked at, a code is sent, and what it opens follows. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { CodeStep } from './code-step.tsx';
import { NameFields } from './name-fields.tsx';
import { usePersonFaults } from './person-faults.ts';
import { PhoneField, usePhonePlan } from './phone-field.tsx';

/** What was typed, as the service takes it. */
type Typed = { phone: string; firstName?: string; lastName?: string; email?: string };

interface Wish {
  hint: 'login' | 'signUp' | 'setup';
  /** The number as far as it is known. */
  phone?: string;
  /** Asks for a code. */
  send(typed: Typed): Promise<unknown>;
  verify(typed: Typed, code: string): Promise<void>;
}

/** `step` takes the place of the form once a code was sent; `fields` and `end` are what every such form has. */
export function usePhoneProof({ hint, phone: known = '', send, verify }: Wish) {
  const { t } = useTranslation();
  const isNew = hint !== 'login';
  const [asked, setAsked] = useState(false);
  const [phone, setPhone] = useState(known);
  const [names, setNames] = useState({ firstName: '', lastName: '', email: '' });
  const { email, ...named } = names;
  const typed = { phone, ...(isNew ? { ...named, ...(email ? { email } : {}) } : {}) };
  const phones = usePhonePlan();
  const { check, refused, labels } = usePersonFaults(phones.plan);
  const { submit, busy, error } = useSubmit(async () => {
    check(phone, isNew ? names : undefined);
    await send(typed).catch(refused);
    setAsked(true);
  });
  const step = asked ? (
    <CodeStep
      phone={phones.plan?.shown(phone) ?? phone}
      labels={labels}
      send={() => send(typed)}
      verify={(code) => verify(typed, code).catch(refused)}
      onBack={() => setAsked(false)}
      hint={hint}
    />
  ) : null;
  const fields = (
    <>
      {isNew ? <NameFields value={names} onChange={setNames} error={error} /> : null}
      <PhoneField
        value={phone}
        onChange={setPhone}
        description={t(isNew ? 'signUp.phoneHint' : 'signIn.phoneHint')}
        phones={phones}
        error={error}
      />
    </>
  );
  const end = (
    <>
      <FormError error={error} labels={labels} />
      <Button type="submit" fullWidth mt="lg" size="xl" loading={busy}>
        {t('signIn.send')}
      </Button>
    </>
  );
  return { submit, error, step, fields, end };
}
