/** The user's own profile, appearance and language, what the device stores, and signing out. */

import { Button, NativeSelect, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isDeepEqual } from '../../../../src/platform/lib/objects/deep-equal.ts';
import { useDeviceLockState } from '../../device/lock/use-lock.ts';
import { SENT_ROW_DAYS } from '../../device/store/cleanup.ts';
import { type StorageHealth, storageHealth } from '../../device/store/storage-health.ts';
import { forgetSession, signOut } from '../../offline/sign-out.ts';
import { request } from '../../session/api.ts';
import { useLocationName } from '../../session/records.ts';
import { storeSessionUser, useSession, useUser } from '../../session/session.tsx';
import {
  APP_LANGUAGES,
  type AppLanguage,
  formatDateTime,
  isUnreviewedLanguage,
  numberInLanguage,
  switchLanguage,
} from '../../texts/i18n.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { LeftToRight } from '../../ui/left-to-right.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import type { User } from '../../wire.ts';
import { useCodesNotOnDevice, useFreeCodeCount } from '../coupons/few-codes.tsx';
import { useUnfinishedOrUnsentCount } from '../outbox/outbox-counts.ts';
import { useHasSendToken } from '../outbox/use-has-send-token.ts';
import { NameFields, type PersonNameValues } from './name-fields.tsx';
import { Passkeys } from './passkeys.tsx';
import { OwnSessions } from './sessions.tsx';

export default function Me() {
  const { t } = useTranslation();
  const user = useUser();
  const nameOf = useLocationName();
  const current = useSession()?.currentLocation ?? null;
  const unsent = useUnfinishedOrUnsentCount();
  const sends = useHasSendToken();
  return (
    <Page title={t('me.title')}>
      <Card>
        <Text fw={650} size="lg">
          {user.firstName} {user.lastName}
        </Text>
        <Text>{t(`role.${user.role}`)}</Text>
        <Text>
          <LeftToRight>{user.phone}</LeftToRight>
        </Text>
        {current ? <Text>{nameOf(current)}</Text> : null}
      </Card>
      <CodeSignIn />
      <PasskeysRemoved />
      <AppearanceCard />
      <Profile user={user} />
      <Device />
      {/* Its texts aren't on the device; offline, the rest of the page shows anyway. */}
      <Suspense fallback={null}>
        <Passkeys />
      </Suspense>
      <ChangeLock />
      <OwnSessions />
      <ConfirmButton
        fullWidth
        label={t('me.signOut')}
        question={t(sends ? 'me.signOutSends' : 'me.signOutQuestion', { count: unsent ?? 0 })}
        yes={t('me.signOut')}
        when={() => unsent !== 0}
        onYes={signOut}
      />
      <SignOutEverywhere />
    </Page>
  );
}

/** Only loaded if this phone has a lock. */
function ChangeLock() {
  const { is } = useDeviceLockState();
  const [Content, setContent] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (is !== 'open') return;
    void import('../lock/change-lock.tsx').then(
      (page) => setContent(() => page.default),
      () => undefined,
    );
  }, [is]);
  return is === 'open' && Content ? <Content /> : null;
}

/** Unsent interviews stay on each device, as after a session has expired. */
function SignOutEverywhere() {
  const { t: own } = useTranslation('passkeys');
  const { submit, error } = useSubmit(async () => {
    await request('POST', '/api/auth/sign-out-everywhere');
    forgetSession();
  });
  return (
    <>
      <ConfirmButton
        fullWidth
        label={own('signOutAll')}
        question={own('signOutAllQuestion')}
        yes={own('signOutAll')}
        onYes={() => submit()}
      />
      <FormError error={error} />
    </>
  );
}

/** Shown because the colleague who created the code could have used it themselves. */
function CodeSignIn() {
  const { t: own, i18n } = useTranslation('passkeys');
  const last = useSession()?.codeSignIn;
  if (!last) return null;
  return (
    <Notice tone="info" title={own('codeSignIn', { name: last.name ?? own('colleague') })}>
      {own('codeSignInWhat', { when: formatDateTime(last.at, i18n.language) })}
    </Notice>
  );
}

/** Shown because anyone with access to the phone number could now add a passkey. */
function PasskeysRemoved() {
  const { t, i18n } = useTranslation('passkeys');
  const last = useSession()?.passkeysRemoved;
  if (!last) return null;
  return (
    <Notice tone="info" title={t('removed', { name: last.name ?? t('operator') })}>
      {t('removedWhat', { when: formatDateTime(last.at, i18n.language) })}
    </Notice>
  );
}

function Profile({ user }: { user: User }) {
  const { t } = useTranslation();
  const before = { firstName: user.firstName, lastName: user.lastName, email: user.email ?? '' };
  const [names, setNames] = useState<PersonNameValues>(before);
  const [saved, setSaved] = useState(false);
  const { submit, busy, error } = useSubmit(async () => {
    setSaved(false);
    const body = { firstName: names.firstName, lastName: names.lastName, email: names.email.trim() || null };
    storeSessionUser(await request<User>('PATCH', `/api/users/${user.id}`, { body }));
    setSaved(true);
  });
  const changed = !isDeepEqual(before, names);
  return (
    <Card label={t('me.profile')}>
      <Text fw={650} component="h2" size="lg" mb="sm">
        {t('me.profile')}
      </Text>
      <form onSubmit={submit} noValidate>
        <NameFields value={names} onChange={setNames} error={error} />
        <FormError error={error} />
        <div role="status">{saved ? <Text mt="sm">{t('me.saved')}</Text> : null}</div>
        <Button type="submit" mt="md" disabled={!changed} loading={busy}>
          {t('common.save')}
        </Button>
      </form>
    </Card>
  );
}

function AppearanceCard() {
  const { t, i18n } = useTranslation();
  const { t: own } = useTranslation('passkeys');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Card label={t('me.looks')}>
      <NativeSelect
        label={t('common.language')}
        value={i18n.language}
        onChange={(event) => void switchLanguage(event.currentTarget.value as AppLanguage)}
        description={isUnreviewedLanguage(i18n.language) ? own('me.draft') : undefined}
        data={Object.entries(APP_LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
      />
      <Text mt="md" mb={6} fw={500} id="looks">
        {t('me.looks')}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="looks"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
        data={[
          { value: 'auto', label: t('me.auto') },
          { value: 'light', label: t('me.light') },
          { value: 'dark', label: t('me.dark') },
        ]}
      />
    </Card>
  );
}

function Device() {
  const { t } = useTranslation();
  const { t: own } = useTranslation('passkeys');
  const codes = useFreeCodeCount() ?? 0;
  const [health, setHealth] = useState<StorageHealth | null>(null);
  useEffect(() => {
    void storageHealth(true).then(setHealth);
  }, []);
  return (
    <Card label={t('me.device')}>
      <Text fw={650} component="h2" size="lg" mb="sm">
        {t('me.device')}
      </Text>
      <Stack gap="sm">
        <Text>{t('ready.codes', { count: codes, shown: codes })}</Text>
        <CodesElsewhere />
        <Text>{own('me.keptLong', { count: SENT_ROW_DAYS })}</Text>
        <Text>{own('me.keptUnsent')}</Text>
        {health && !health.persisted ? (
          <Notice tone="warn" title={t('storage.mayClear')}>
            {t('storage.mayClearWhat')}
          </Notice>
        ) : (
          <Text>{t('storage.kept')}</Text>
        )}
      </Stack>
      <Text mt="sm" c="dimmed" size="sm">
        {t('install.how')}
      </Text>
    </Card>
  );
}

/**
 * Coupon codes reserved for this person that aren't on this device. They count toward the limit until someone gives
 * them up.
 */
function CodesElsewhere() {
  const { t: own, i18n } = useTranslation('passkeys');
  const { count = 0, giveBack, error } = useCodesNotOnDevice();
  if (count === 0) return null;
  return (
    <Notice tone="info" title={own('me.stranded', { count, shown: numberInLanguage(count, i18n.language) })}>
      {own('me.strandedWhat')}
      <FormError error={error} />
      <div style={{ marginTop: 10 }}>
        <ConfirmButton
          label={own('me.makeRoom')}
          question={own('me.makeRoomQuestion')}
          yes={own('me.makeRoom')}
          harmless
          onYes={giveBack}
        />
      </div>
    </Notice>
  );
}
