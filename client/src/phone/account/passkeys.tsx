/** The user's own passkeys: add and remove them, and see how many recovery codes are left. */
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../session/api.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { refreshSession } from '../../session/refresh-session.ts';
import { useSession, useUser } from '../../session/session.tsx';
import { formatDateTime } from '../../texts/i18n.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { PasskeyList } from '../../wire.ts';
import { AddPasskey } from './add-passkey.tsx';

type Passkey = PasskeyList['data'][number];

export function Passkeys() {
  const { t } = useTranslation('passkeys');
  const owner = useUser().id;
  const verified = useSession()?.secondFactor === 'VERIFIED';
  const [isAdding, setAdding] = useState(false);
  const { data: list, refetch } = useQuery({
    queryKey: queryKeys.passkeys(owner),
    queryFn: () => request<PasskeyList>('GET', '/api/auth/passkeys'),
  });
  if (!list) return null;
  const changed = async () => {
    await refreshSession();
    await refetch();
  };
  const isFirst = list.data.length === 0;
  return (
    <Card label={t('title')}>
      <Text fw={650} component="h2" size="lg" mb="xs">
        {t('title')}
      </Text>
      <Text mb="sm">{t('what')}</Text>
      {isFirst ? <Text mb="sm">{t('then')}</Text> : null}
      {list.data.map((one) => (
        <OnePasskey
          key={one.id}
          passkey={one}
          isLast={list.data.length === 1}
          mayRemove={verified}
          onRemoved={changed}
        />
      ))}
      {isFirst ? null : (
        <>
          <Text mt="sm">{t('codesLeft', { count: list.recoveryCodesLeft })}</Text>
          <Text size="sm" c="dimmed" mb="md">
            {t('lostOne')}
          </Text>
        </>
      )}
      {isFirst || verified || isAdding ? (
        <AddPasskey onAdding={setAdding} onAdded={changed} />
      ) : (
        <Confirm onConfirmed={changed} />
      )}
    </Card>
  );
}

/** Even if the study allows signing in by code, changing passkeys requires one. */
function Confirm({ onConfirmed }: { onConfirmed(): unknown }) {
  const { t } = useTranslation('passkeys');
  const { submit, busy, error } = useSubmit(async () => {
    const { verifyByPasskey: verify } = await import('./use-passkey.ts');
    await verify(null);
    await onConfirmed();
  });
  return (
    <>
      <Text mb="sm">{t('confirmFirst')}</Text>
      <Button variant="default" loading={busy} onClick={() => submit()}>
        {t('use')}
      </Button>
      <FormError error={error} />
    </>
  );
}

interface OnePasskeyProps {
  passkey: Passkey;
  isLast: boolean;
  mayRemove: boolean;
  onRemoved(): unknown;
}

function OnePasskey({ passkey, isLast, mayRemove, onRemoved }: OnePasskeyProps) {
  const { t, i18n } = useTranslation('passkeys');
  const { id, name, createdAt, lastUsedAt } = passkey;
  const when = formatDateTime(lastUsedAt ?? createdAt, i18n.language);
  const { submit, error } = useSubmit(async () => {
    await request('DELETE', `/api/auth/passkeys/${id}`);
    await onRemoved();
  });
  return (
    <div className="row">
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={600}>
            <bdi>{name}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {t(lastUsedAt ? 'used' : 'added', { when })}
          </Text>
        </div>
        {mayRemove ? (
          <ConfirmButton
            label={t('remove')}
            question={t(isLast ? 'removeLast' : 'removeQuestion', { name })}
            yes={t('remove')}
            onYes={() => submit()}
          />
        ) : null}
      </Group>
      <FormError error={error} />
    </div>
  );
}
