/** Signing up: name, phone, site, and requested role, then the code. Someone else approves the account. */
import { Anchor, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation } from 'react-router';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { RequestRefusal, request } from '../../session/api.ts';
import { useLocations } from '../../session/records.ts';
import { pageAfterSignIn, type SignInState, useSession } from '../../session/session.tsx';
import { LanguageSwitch } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { useUnfinishedOrUnsentCount } from '../outbox/outbox-counts.ts';
import { RescueButton } from '../outbox/rescue-button.tsx';
import { NameFields } from './name-fields.tsx';
import { SetupNeededNotice } from './new-service.tsx';
import { type SignInReply, usePhoneProof } from './phone-proof.tsx';

const ROLES = ['VOLUNTEER', 'MANAGER', 'ADMIN'] as const;

export default function SignUp() {
  const { t } = useTranslation();
  const { t: own } = useTranslation('waiting');
  const from = (useLocation().state ?? {}) as SignInState;
  const session = useSession();
  const unsent = useUnfinishedOrUnsentCount() ?? 0;
  const locations = useLocations();
  const [site, setSite] = useState('');
  const [role, setRole] = useState<string>('VOLUNTEER');
  const { submit, step, fields, end } = usePhoneProof({
    hint: 'signUp',
    nameFields: NameFields,
    send: ({ phone, device }, channel) =>
      request<unknown>('POST', '/api/auth/send-otp-signup', { body: { phone, device, channel } }),
    verify: (typed, code) => {
      const body = { ...typed, code, role, ...(site ? { location: site } : {}) };
      return request<SignInReply>('POST', '/api/auth/verify-otp-signup', { body }).catch(
        (refused: unknown) => {
          // The person already has an account: the same code signs them in.
          if (!(refused instanceof RequestRefusal) || refused.code !== 'PHONE_TAKEN') throw refused;
          const credentials = { phone: typed.phone, device: typed.device, code };
          return request<SignInReply>('POST', '/api/auth/verify-otp-login', { body: credentials });
        },
      );
    },
  });
  if (session && !session.expired) return <Navigate to={pageAfterSignIn(from, session.user)} replace />;
  if (step) return step;
  return (
    <Page title={t('signUp.title')} besideTitle={<LanguageSwitch />}>
      <SetupNeededNotice />
      {session && unsent > 0 ? (
        <Notice tone="warn" title={t('signUp.unsent', { name: fullName(session.user) })}>
          <Text mb="sm">{own('rescue')}</Text>
          <RescueButton />
        </Notice>
      ) : null}
      <form onSubmit={submit} noValidate>
        {fields}
        <NativeSelect
          mt="md"
          label={t('signUp.site')}
          description={t('signUp.siteHint')}
          value={site}
          onChange={(event) => setSite(event.currentTarget.value)}
          data={[
            { value: '', label: t('signUp.noSite') },
            ...locations.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <NativeSelect
          mt="md"
          label={t('signUp.role')}
          description={t('signUp.roleHint')}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value)}
          data={ROLES.map((name) => ({ value: name, label: t(`role.${name}`) }))}
        />
        {end}
      </form>
      <Text ta="center" mt="md">
        {t('signUp.known')}{' '}
        <Anchor component={Link} to="/sign-in" state={from} className="tall-link">
          {t('signIn.title')}
        </Anchor>
      </Text>
    </Page>
  );
}
