/** Where the person is signed in, and how to end a session on another device. */
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { UNKNOWN_CLIENT } from '../../../../src/platform/lib/client-name.ts';
import { request } from '../../session/api.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser } from '../../session/session.tsx';
import { formatDateTime } from '../../texts/i18n.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { SessionList } from '../../wire.ts';

type Listed = SessionList['data'][number];

/** Renders nothing while offline. */
export function OwnSessions() {
  const { t: own } = useTranslation('passkeys');
  const { id: owner } = useUser();
  const { data: list, refetch } = useQuery({
    queryKey: queryKeys.sessions(owner),
    queryFn: () => request<SessionList>('GET', '/api/auth/sessions'),
  });
  if (!list || list.data.length === 0) return null;
  return (
    <Card label={own('sessions')}>
      <Text fw={650} component="h2" size="lg" mb="sm">
        {own('sessions')}
      </Text>
      {list.data.map((one) => (
        <OneSession key={one.id} session={one} onEnded={refetch} />
      ))}
    </Card>
  );
}

function OneSession({ session, onEnded }: { session: Listed; onEnded(): unknown }) {
  const { t, i18n } = useTranslation();
  const { t: own } = useTranslation('passkeys');
  const { id, current, lastSeenAt } = session;
  const client = session.client === UNKNOWN_CLIENT ? t('me.sessionUnknown') : session.client;
  const { submit, error } = useSubmit(async () => {
    await request('DELETE', `/api/auth/sessions/${id}`);
    await onEnded();
  });
  return (
    <div className="row">
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={600}>
            <bdi>{client}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {current
              ? own('sessionHere')
              : t('me.sessionSeen', { when: formatDateTime(lastSeenAt, i18n.language) })}
          </Text>
        </div>
        {current ? null : (
          <ConfirmButton
            label={own('sessionEnd')}
            question={own('sessionEndQuestion', { client })}
            yes={own('sessionEnd')}
            onYes={() => submit()}
          />
        )}
      </Group>
      <FormError error={error} />
    </div>
  );
}
