/** Signing in with a phone number and a code. */
import { Anchor, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation } from 'react-router';
import { lockState } from '../../device/lock/lock.ts';
import { useDeviceLockState } from '../../device/lock/use-lock.ts';
import { request } from '../../session/api.ts';
import { pageAfterSignIn, type SignInState, useSession } from '../../session/session.tsx';
import { FormError, LanguageSwitch, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ExpiredSessionText } from '../outbox/expired-text.tsx';
import { OthersUnsentNotice } from '../outbox/other-users.tsx';
import { SUPPORTS_PASSKEYS } from './has-passkeys.ts';
import { SetupNeededNotice } from './new-service.tsx';
import { type SignInReply, usePhoneProof } from './phone-proof.tsx';

export default function SignIn() {
  const { t } = useTranslation();
  const { state, hash } = useLocation();
  const from = (state ?? {}) as SignInState;
  const link = linkIn(hash);
  const session = useSession();
  const now = useDeviceLockState();
  // The lock screen already said how many interviews are waiting, and they may be this person's own.
  const isFromLock = now.is === 'signing-in';
  const { submit, step, fields, end } = usePhoneProof({
    hint: 'login',
    codeFirst: isFromLock && now.toOpen === true,
    phone: link?.phone ?? from.phone ?? session?.user.phone ?? '',
    ...(link ? { code: link.code } : {}),
    send: (typed, channel) =>
      request<unknown>('POST', '/api/auth/send-otp-login', { body: { ...typed, channel } }),
    verify: (typed, code) =>
      request<SignInReply>('POST', '/api/auth/verify-otp-login', { body: { ...typed, code } }),
  });
  if (session && !session.expired) return <Navigate to={pageAfterSignIn(from, session.user)} replace />;
  if (step) return step;
  return (
    <Page title={t('signIn.title')} besideTitle={<LanguageSwitch />}>
      <BackToLock />
      <SetupNeededNotice />
      {session || isFromLock ? null : <OthersUnsentNotice />}
      <form onSubmit={submit} noValidate>
        {session?.expired ? (
          <Notice tone="info" title={t('expired.title')}>
            <ExpiredSessionText />
          </Notice>
        ) : null}
        {fields}
        {end}
      </form>
      {SUPPORTS_PASSKEYS ? <WithPasskey from={from} /> : null}
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

/** No phone number or code needed: the passkey identifies the person. */
function WithPasskey({ from }: { from: SignInState }) {
  const { t } = useTranslation();
  const { submit, busy, error } = useSubmit(async () => {
    const { signInWithPasskey } = await import('./use-passkey.ts');
    await signInWithPasskey(from.owner ? '/' : (from.next ?? '/'));
  });
  return (
    <>
      <Button variant="default" fullWidth size="lg" loading={busy} onClick={() => submit()}>
        {t('signIn.passkey')}
      </Button>
      <FormError error={error} />
    </>
  );
}

/** Shown if the lock screen led here. */
function BackToLock() {
  const { t } = useTranslation();
  const now = useDeviceLockState();
  if (now.is !== 'signing-in') return null;
  return (
    <Button variant="default" onClick={() => lockState.set({ is: 'locked', owner: now.owner, place: null })}>
      {t('lock.back')}
    </Button>
  );
}

/** Phone and code from a sign-in link. They are in the fragment after `#`, which browsers never send to a server. */
function linkIn(hash: string): { phone: string; code: string } | null {
  const params = new URLSearchParams(hash.slice(1));
  const [phone, code] = [params.get('phone'), params.get('code')];
  return phone && code && /^(\d{6}|\w{12})$/.test(code) ? { phone, code } : null;
}
