/** Back with the phone: a number, a code, and in. */
import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { request } from '../api.ts';
import { CodeStep } from '../parts/code-step.tsx';
import { FormError, LanguageSwitch, useSubmit } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useOutboxCounts } from '../parts/shell.tsx';
import { signIn, useSession } from '../session.tsx';

interface ComingFrom {
  next?: string;
  phone?: string;
}

export default function SignIn() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const from = (useLocation().state ?? {}) as ComingFrom;
  const session = useSession();
  const { waiting } = useOutboxCounts();
  const [phone, setPhone] = useState(from.phone ?? session?.user.phone ?? '');
  const [asked, setAsked] = useState(false);
  const send = () => request<unknown>('POST', '/api/auth/send-otp-login', { body: { phone } });
  const { submit, busy, error } = useSubmit(async () => {
    await send();
    setAsked(true);
  });
  const verify = async (code: string) => {
    const { token } = await request<{ token: string }>('POST', '/api/auth/verify-otp-login', {
      body: { phone, code },
    });
    await signIn(token);
    await navigate(from.next ?? '/', { replace: true });
  };
  if (asked)
    return <CodeStep phone={phone} send={send} verify={verify} onBack={() => setAsked(false)} hint="login" />;
  return (
    <Page title={t('signIn.title')} beside={<LanguageSwitch />}>
      <form onSubmit={submit} noValidate>
        {session?.expired ? (
          <Notice tone="info" title={t('expired.title')}>
            {waiting > 0 ? t('expired.waiting', { count: waiting }) : t('expired.text')}
          </Notice>
        ) : null}
        <TextInput
          mt="md"
          label={t('signIn.phone')}
          description={t('signIn.phoneHint')}
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          required
          value={phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
        <FormError error={error} />
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
    </Page>
  );
}
