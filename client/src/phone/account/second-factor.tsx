/**
 * After signing in by code: confirms the session with a passkey or recovery code, or adds the passkey that the study
 * requires.
 */
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { signOut } from '../../offline/sign-out.ts';
import { RequestRefusal } from '../../session/api.ts';
import { pageAfterSignIn, type SignInState, useSession, useUser } from '../../session/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, LanguageSwitch, useSubmit } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { useUnfinishedOrUnsentCount } from '../outbox/outbox-counts.ts';
import { useHasSendToken } from '../outbox/use-has-send-token.ts';
import { AddPasskey } from './add-passkey.tsx';
import { SUPPORTS_PASSKEYS } from './has-passkeys.ts';

const TITLES = { VERIFY: 'confirmTitle', ENROLL: 'enrollTitle', SIGN_IN_AGAIN: 'againTitle' } as const;

export default function SecondFactorPage() {
  const { t } = useTranslation('passkeys');
  const user = useUser();
  const { state } = useLocation();
  const requirement = useSession()?.secondFactor ?? 'NOT_NEEDED';
  const way = pageAfterSignIn((state ?? {}) as SignInState, user);
  // Adding a passkey changes the requirement while its recovery codes are still on the screen.
  const [isAdding, setAdding] = useState(false);
  const step = isAdding ? 'ENROLL' : requirement;
  if (step === 'NOT_NEEDED' || step === 'VERIFIED') return <Navigate to={way} replace />;
  return (
    <Page title={t(TITLES[step])} besideTitle={<LanguageSwitch />}>
      {step === 'VERIFY' ? <Verify /> : null}
      {step === 'ENROLL' ? (
        <>
          <Text>{t('enrollWhat')}</Text>
          <Text mb="md">{t('what')}</Text>
          <AddPasskey onAdding={setAdding} />
        </>
      ) : null}
      {step === 'SIGN_IN_AGAIN' ? <SignInAgain way={way} /> : null}
      <SignOut />
    </Page>
  );
}

function UsePasskey({ act }: { act(): Promise<unknown> }) {
  const { t } = useTranslation('passkeys');
  const { submit, busy, error } = useSubmit(act);
  if (!SUPPORTS_PASSKEYS) return <Text c="dimmed">{t('unsupported')}</Text>;
  return (
    <>
      <Button fullWidth mt="lg" size="xl" loading={busy} onClick={() => submit()}>
        {t('use')}
      </Button>
      <FormError error={error} />
    </>
  );
}

function Verify() {
  const { t } = useTranslation('passkeys');
  const [byCode, setByCode] = useState(!SUPPORTS_PASSKEYS);
  const [recoveryCode, setRecoveryCode] = useState('');
  const { submit, busy, error } = useSubmit(async () => {
    const { verifyByPasskey } = await import('./use-passkey.ts');
    await verifyByPasskey({ recoveryCode }).catch((fault: unknown) => {
      const isWrong = fault instanceof RequestRefusal && fault.code === 'OTP_INVALID';
      throw isWrong ? new Error(t('recoveryWrong')) : fault;
    });
  });
  return (
    <>
      <Text>{t('confirmWhat')}</Text>
      <UsePasskey
        key={byCode ? 'code' : 'passkey'}
        act={async () => await (await import('./use-passkey.ts')).verifyByPasskey(null)}
      />
      {byCode ? (
        <form onSubmit={submit} noValidate>
          <TextInput
            mt="lg"
            label={t('recoveryLabel')}
            description={t('recoveryWhat')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            dir="ltr"
            maxLength={40}
            value={recoveryCode}
            onChange={(event) => setRecoveryCode(event.currentTarget.value)}
          />
          <FormError error={error} />
          <Button
            type="submit"
            fullWidth
            mt="md"
            size="lg"
            variant="default"
            loading={busy}
            disabled={recoveryCode.trim() === ''}
          >
            {t('confirm')}
          </Button>
          <Text mt="md" size="sm" c="dimmed">
            {t('lost')}
          </Text>
        </form>
      ) : (
        <Button variant="subtle" fullWidth onClick={() => setByCode(true)}>
          {t('recovery')}
        </Button>
      )}
    </>
  );
}

function SignInAgain({ way }: { way: string }) {
  const { t } = useTranslation('passkeys');
  const { passkeys = [] } = useUser();
  return (
    <>
      <Text>{t('againWhat')}</Text>
      {passkeys.length > 0 ? (
        <UsePasskey act={async () => await (await import('./use-passkey.ts')).signInWithPasskey(way)} />
      ) : null}
    </>
  );
}

function SignOut() {
  const { t } = useTranslation();
  const unsent = useUnfinishedOrUnsentCount();
  const sends = useHasSendToken();
  return (
    <ConfirmButton
      fullWidth
      label={t('me.signOut')}
      question={t(sends ? 'me.signOutSends' : 'me.signOutQuestion', { count: unsent ?? 0 })}
      yes={t('me.signOut')}
      when={() => unsent !== 0}
      onYes={signOut}
    />
  );
}
