/** The one-time link of a new service: makes its first administrator. */
import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { Refusal, request } from '../../api.ts';
import { usePublicStudy } from '../../records.ts';
import { signIn, useSession } from '../../session.tsx';
import { LanguageSwitch } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import type { SignedIn } from '../../wire.ts';
import { NameFields, type Names } from './name-fields.tsx';
import { PhoneField } from './phone-field.tsx';
import { usePhoneProof } from './phone-proof.tsx';

export default function Setup() {
  const { t } = useTranslation();
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  const [phone, setPhone] = useState('');
  const [names, setNames] = useState<Names>({ firstName: '', lastName: '', email: '' });
  const body = () => {
    const { email, ...rest } = names;
    return { token, phone, ...rest, ...(email ? { email } : {}) };
  };
  /** Without a code the service sends one; the link stays good until it was typed in. */
  const send = () => request<unknown>('POST', '/api/setup', { body: body() });
  const verify = async (code: string) => {
    const made = await request<SignedIn>('POST', '/api/setup', { body: { ...body(), code } });
    await signIn(made.token, '/desk/first-run');
  };
  const proof = usePhoneProof({ phone, names, hint: 'setup', send, verify });
  const { submit, error, phones, step, end } = proof;
  const signedIn = useSession() !== null;
  const refused = error instanceof Refusal && error.status === 403;
  // A session that is kept here may be of a service that is no more: the service is asked.
  const used = usePublicStudy({ always: true }).data?.needsSetup === false || refused;
  if (step) return step;
  return (
    <Page title={t('setup.title')} beside={<LanguageSwitch />}>
      {used ? (
        <Notice tone="info" title={t('setup.used')} live={refused}>
          <Anchor component={Link} to={signedIn ? '/' : '/sign-in'} className="tall-link" inherit c="inherit">
            {t(signedIn ? 'setup.home' : 'setup.signIn')}
          </Anchor>
        </Notice>
      ) : token ? (
        <form onSubmit={submit} noValidate>
          <Text mb="md">{t('setup.text')}</Text>
          <NameFields value={names} onChange={setNames} error={error} />
          <PhoneField
            value={phone}
            onChange={setPhone}
            description={t('signUp.phoneHint')}
            phones={phones}
            error={error}
          />
          {end}
        </form>
      ) : (
        <Notice tone="warn" title={t('setup.noToken')} />
      )}
    </Page>
  );
}
