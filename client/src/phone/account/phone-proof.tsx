/**
 * Verifies a phone number by a one-time code, sent or from a colleague: checks the fields, then does what the code
 * permits.
 */
import { Button } from '@mantine/core';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readLocalSetting, storeLocalSetting } from '../../device/local-settings.ts';
import { RequestRefusal } from '../../session/api.ts';
import { signInWithToken } from '../../session/session.tsx';
import { fieldFaultOf } from '../../ui/field-error.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { OneTimeCodeStep } from './code-step.tsx';
import type { NameFields } from './name-fields.tsx';
import { usePersonFaults } from './person-faults.ts';
import { PhoneField, usePhoneNumberingPlan } from './phone-field.tsx';

/** What was typed, in the service's format. */
type Typed = {
  phone: string;
  device: string | undefined;
  firstName?: string;
  lastName?: string;
  email?: string;
};

export interface SignInReply {
  token: string;
  /** Tells the service that this phone number has signed in on this device before. */
  device: string;
}

export const DEVICE_SECRET_STORAGE_KEY = 'device';

interface Wish {
  hint: 'login' | 'signUp' | 'setup';
  /** For new people; not needed for signing in. */
  nameFields?: typeof NameFields;
  /** The number, if known. */
  phone?: string;
  /** Offers to enter a colleague's code before sending one by text message. */
  codeFirst?: boolean;
  /** A code from a colleague's link. */
  code?: string;
  /** Requests a code. */
  send(typed: Typed, channel?: 'sms' | 'call'): Promise<unknown>;
  /** Exchanges the single-use code for a token. */
  verify(typed: Typed, code: string): Promise<SignInReply>;
  /** Where to go afterwards. */
  address?: string;
}

/** `step` replaces the form once a code was sent; `fields` and `end` are parts of every such form. */
export function usePhoneProof({
  hint,
  nameFields: Names,
  phone: initialPhone = '',
  codeFirst = false,
  code,
  send,
  verify,
  address,
}: Wish) {
  const { t } = useTranslation();
  const isNew = hint !== 'login';
  /** Whether a code was sent, or comes from a colleague. */
  const [codeSource, setCodeSource] = useState<'sent' | 'given' | null>(code ? 'given' : null);
  const [phone, setPhone] = useState(initialPhone);
  const [names, setNames] = useState({ firstName: '', lastName: '', email: '' });
  const { email, ...named } = names;
  const device = readLocalSetting(DEVICE_SECRET_STORAGE_KEY) ?? undefined;
  const typed = { phone, device, ...(isNew ? { ...named, ...(email ? { email } : {}) } : {}) };
  const phones = usePhoneNumberingPlan();
  const { check, refused, labels } = usePersonFaults(phones.plan);
  const { submit, busy, error, clear } = useSubmit(async () => {
    check(phone, isNew ? names : undefined);
    await send(typed).catch(refused);
    setCodeSource('sent');
  });
  /** Kept, because the code is used up: if a later reply is lost, a retry needs the proof. */
  const proof = useRef<SignInReply | null>(null);
  const enter = async (typedCode: string) => {
    proof.current ??= await verify(typed, typedCode).catch(refused);
    storeLocalSetting(DEVICE_SECRET_STORAGE_KEY, proof.current.device);
    await signInWithToken(proof.current.token, address).catch((error: unknown) => {
      if (error instanceof RequestRefusal && error.status === 401) proof.current = null;
      throw error;
    });
  };
  const { load } = phones;
  useEffect(() => {
    if (code) load();
  }, [code, load]);
  const codeSubmission = useSubmit(async () => {
    check(phone);
    setCodeSource('given');
  });
  const visibleError = error ?? codeSubmission.error;
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const enterCode = (event?: SubmitEvent<HTMLFormElement>) => {
    clear();
    setMissing(!phone);
    if (phone) return codeSubmission.submit(event);
    event?.preventDefault();
    field.current?.focus();
  };
  const step = codeSource ? (
    <OneTimeCodeStep
      phone={phones.plan?.shown(phone) ?? phone}
      labels={labels}
      send={async (channel) => {
        await send(typed, channel);
        setCodeSource('sent');
      }}
      verify={enter}
      onBack={() => {
        proof.current = null;
        setCodeSource(null);
      }}
      hint={codeSource === 'given' ? 'given' : hint}
      known={codeSource === 'given' ? code : undefined}
    />
  ) : null;
  const fields = (
    <>
      {Names ? <Names value={names} onChange={setNames} error={visibleError} /> : null}
      <PhoneField
        value={phone}
        onChange={(next) => {
          setPhone(next);
          setMissing(false);
          if (isNew) return;
          clear();
          codeSubmission.clear();
        }}
        description={codeFirst ? '' : t(isNew ? 'signUp.phoneHint' : 'signIn.phoneHint')}
        phones={phones}
        field={field}
        fault={isMissing ? t('signIn.phoneFirst') : fieldFaultOf(visibleError, 'phone')}
      />
    </>
  );
  const end = (
    <>
      <FormError error={visibleError} labels={labels} />
      <Button type="submit" fullWidth mt="lg" size="xl" loading={busy}>
        {t(codeFirst ? 'signIn.haveCode' : 'signIn.send')}
      </Button>
      {isNew ? null : (
        <Button variant="subtle" fullWidth mt="xs" onClick={() => (codeFirst ? submit() : enterCode())}>
          {t(codeFirst ? 'signIn.send' : 'signIn.haveCode')}
        </Button>
      )}
    </>
  );
  return { submit: codeFirst ? enterCode : submit, error, step, fields, end };
}
