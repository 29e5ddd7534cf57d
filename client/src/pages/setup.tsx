/** The one-time link of a new service: makes its first administrator. */
import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { Refusal, request } from '../api.ts';
import { CodeStep } from '../parts/code-step.tsx';
import { FormError, LanguageSwitch, useSubmit } from '../parts/form.tsx';
import { NameFields, type Names } from '../parts/name-fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { usePersonFaults } from '../parts/person-faults.ts';
import { PhoneField, usePhonePlan } from '../parts/phone-field.tsx';
import { usePublicStudy } from '../records.ts';
import { signIn, useSession } from '../session.tsx';
import type { SignedIn } from '../wire.ts';

export default function Setup() {
  const { t } = useTranslation();
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  const [phone, setPhone] = useState('');
  const [asked, setAsked] = useState(false);
  const [names, setNames] = useState<Names>({ firstName: '', lastName: '', email: '' });
  const phones = usePhonePlan();
  const faults = usePersonFaults(phones.plan);
  const body = () => {
    const { email, ...rest } = names;
    return { token, phone, ...rest, ...(email ? { email } : {}) };
  };
  /** Without a code the service sends one; the link stays good until it was typed in. */
  const send = () => request<unknown>('POST', '/api/setup', { body: body() });
  const { submit, busy, error } = useSubmit(async () => {
    faults.check(phone, names);
    await send().catch(faults.refused);
    setAsked(true);
  });
  const verify = async (code: string) => {
    const made = await request<SignedIn>('POST', '/api/setup', { body: { ...body(), code } }).catch(
      faults.refused,
    );
    await signIn(made.token, '/desk/first-run');
  };
  const signedIn = useSession() !== null;
  const refused = error instanceof Refusal && error.status === 403;
  // A session that is kept here may be of a service that is no more: the service is asked.
  const used = usePublicStudy({ always: true }).data?.needsSetup === false || refused;
  if (asked)
    return (
      <CodeStep
        phone={phones.plan?.shown(phone) ?? phone}
        labels={faults.labels}
        send={send}
        verify={verify}
        onBack={() => setAsked(false)}
        hint="setup"
      />
    );
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
          <FormError error={error} labels={faults.labels} />
          <Button type="submit" fullWidth size="xl" mt="lg" loading={busy}>
            {t('signIn.send')}
          </Button>
        </form>
      ) : (
        <Notice tone="warn" title={t('setup.noToken')} />
      )}
    </Page>
  );
}
