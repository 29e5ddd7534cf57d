/** Where a person is signed in, for people who may sign them out. */
import { Text } from '@mantine/core';
import { UNKNOWN_CLIENT } from '../../../../src/platform/lib/client-name.ts';
import { Card } from '../../ui/page.tsx';
import type { SessionList, User } from '../../wire.ts';
import { useRecord } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export function PersonSessions({ user }: { user: User }) {
  const { t, app, moment } = useDashboardText();
  const { data: list } = useRecord<SessionList>(`/api/users/${user.id}/sessions`);
  if (!list) return null;
  return (
    <Card heading={t('people.sessions')}>
      {list.data.length === 0 ? <Text c="dimmed">{t('people.noSessions')}</Text> : null}
      {list.data.map(({ id, client, lastSeenAt }) => (
        <div key={id} className="row">
          <Text fw={600}>
            <bdi>{client === UNKNOWN_CLIENT ? app('me.sessionUnknown') : client}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {app('me.sessionSeen', { when: moment(lastSeenAt) })}
          </Text>
        </div>
      ))}
    </Card>
  );
}
