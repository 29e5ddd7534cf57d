/** The one-time link of a new service: makes its first administrator. */
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { request } from '../api.ts';
import { FormError, LanguageSwitch, useSubmit } from '../parts/form.tsx';
import { NameFields, type Names } from '../parts/name-fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { signIn } from '../session.tsx';
import type { SignedIn } from '../wire.ts';

export default function Setup() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  const [phone, setPhone] = useState('');
  const [names, setNames] = useState<Names>({ firstName: '', lastName: '', email: '' });
  const { submit, busy, error } = useSubmit(async () => {
    const { email, ...rest } = names;
    const body = { token, phone, ...rest, ...(email ? { email } : {}) };
    const made = await request<SignedIn>('POST', '/api/setup', { body });
    await signIn(made.token);
    await navigate('/desk/first-run', { replace: true });
  });
  return (
    <Page title={t('setup.title')} beside={<LanguageSwitch />}>
      {token ? (
        <form onSubmit={submit} noValidate>
          <Text mb="md">{t('setup.text')}</Text>
          <NameFields value={names} onChange={setNames} error={error} />
          <TextInput
            mt="md"
            label={t('signIn.phone')}
            description={t('signUp.phoneHint')}
            type="tel"
            autoComplete="tel"
            required
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <FormError error={error} />
          <Button type="submit" fullWidth size="xl" mt="lg" loading={busy}>
            {t('setup.go')}
          </Button>
        </form>
      ) : (
        <Notice tone="warn" title={t('setup.noToken')} />
      )}
    </Page>
  );
}
