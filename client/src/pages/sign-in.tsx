/** Back with the phone: a number, a code, and in. */
import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation } from 'react-router';
import { request } from '../api.ts';
import { FormError, LanguageSwitch } from '../parts/form.tsx';
import { NewService } from '../parts/new-service.tsx';
import { Notice } from '../parts/notice.tsx';
import { OthersHere } from '../parts/others-here.tsx';
import { Page } from '../parts/page.tsx';
import { PhoneField } from '../parts/phone-field.tsx';
import { usePhoneProof } from '../parts/phone-proof.tsx';
import { useOutboxCounts } from '../parts/shell.tsx';
import { type ComingFrom, signIn, useSession, wayOf } from '../session.tsx';

export default function SignIn() {
  const { t } = useTranslation();
  const from = (useLocation().state ?? {}) as ComingFrom;
  const session = useSession();
  const { waiting } = useOutboxCounts();
  const [phone, setPhone] = useState(from.phone ?? session?.user.phone ?? '');
  const send = () => request<unknown>('POST', '/api/auth/send-otp-login', { body: { phone } });
  const verify = async (code: string) => {
    const { token } = await request<{ token: string }>('POST', '/api/auth/verify-otp-login', {
      body: { phone, code },
    });
    await signIn(token);
  };
  const { submit, busy, error, phones, labels, step } = usePhoneProof({ phone, hint: 'login', send, verify });
  if (session && !session.expired) return <Navigate to={wayOf(from, session.user)} replace />;
  if (step) return step;
  return (
    <Page title={t('signIn.title')} beside={<LanguageSwitch />}>
      <NewService />
      {session ? null : <OthersHere />}
      <form onSubmit={submit} noValidate>
        {session?.expired ? (
          <Notice tone="info" title={t('expired.title')}>
            {waiting > 0 ? t('expired.waiting', { count: waiting }) : t('expired.text')}
          </Notice>
        ) : null}
        <PhoneField
          value={phone}
          onChange={setPhone}
          description={t('signIn.phoneHint')}
          phones={phones}
          error={error}
        />
        <FormError error={error} labels={labels} />
        <Button type="submit" fullWidth mt="lg" size="xl" loading={busy}>
          {t('signIn.send')}
        </Button>
      </form>
      <Text ta="center" mt="md">
        {t('signIn.new')}{' '}
        <Anchor component={Link} to="/sign-up" state={from} className="tall-link">
          {t('signIn.signUp')}
        </Anchor>
      </Text>
      <Text ta="center" size="sm" c="dimmed">
        {t('signIn.developers')}{' '}
        <Anchor href="/documentation" className="tall-link" inherit>
          API
        </Anchor>
      </Text>
    </Page>
  );
}
