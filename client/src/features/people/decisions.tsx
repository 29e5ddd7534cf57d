/** What was decided about people and can be taken back now: out of the history, so that it outlasts a reload. */
import './decisions.css';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '../../api.ts';
import { ageOf } from '../../desk/age.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { refreshDesk, useGet } from '../../desk/use-list.tsx';
import type { Decision } from '../../desk/wire.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { User } from '../../wire.ts';
import { fullName } from './ask-about.tsx';
import { PersonName } from './person-name.tsx';

const SHOWN = 5;

/** The own ones of today. */
export function DoneToday() {
  const { t } = useDeskText();
  const [all, setAll] = useState(false);
  const { data } = useGet<{ data: Decision[] }>('/api/users/decisions');
  const done = data?.data ?? [];
  if (done.length === 0) return null;
  return (
    <Card label={t('approvals.today')}>
      <h2>{t('approvals.today')}</h2>
      <ul className="desk-done">
        {(all ? done : done.slice(0, SHOWN)).map((one) => (
          <li key={one.user.id}>
            <Said decision={one} linked />
            <Undo decision={one} />
          </li>
        ))}
      </ul>
      {all || done.length <= SHOWN ? null : (
        <Button variant="subtle" size="sm" h={44} onClick={() => setAll(true)}>
          {t('approvals.showAll')}
        </Button>
      )}
    </Card>
  );
}

/** The last one on this person, by whoever made it. */
export function LastDecision({ user }: { user: User }) {
  const { data } = useGet<{ data: Decision[] }>(`/api/users/decisions?user=${user.id}`);
  const [last] = data?.data ?? [];
  if (last?.user.id !== user.id) return null;
  return (
    <div className="desk-done-one">
      <span>
        <Said decision={last} />{' '}
        <Text component="span" size="sm">
          (<PersonName id={last.by} />)
        </Text>
      </span>
      <Undo decision={last} />
    </div>
  );
}

function Said({ decision: { user, changes, at }, linked }: { decision: Decision; linked?: boolean }) {
  const { t, app, language } = useDeskText();
  const name = fullName(user);
  const lines = changes.map(({ path, before, after }) =>
    path === 'role'
      ? t('approvals.nowRole', {
          name,
          role: app(`role.${after as User['role']}`),
          before: app(`role.${before as User['role']}`),
        })
      : t(`approvals.doneOne.${after as User['approvalStatus']}`, { name }),
  );
  const text = lines.join(' ');
  return (
    <span>
      {linked ? (
        <Link to={`/desk/people/${user.id}`} className="tall-link">
          {text}
        </Link>
      ) : (
        text
      )}{' '}
      <Text component="span" size="sm" c="dimmed">
        {ageOf(at, language)}
      </Text>
    </span>
  );
}

function Undo({ decision: { user, undo } }: { decision: Decision }) {
  const { t } = useDeskText();
  const { submit, busy, error } = useSubmit(async () => {
    await request<User>('PATCH', `/api/users/${user.id}`, { body: undo });
    await refreshDesk();
  });
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="sm"
        h={44}
        loading={busy}
        aria-label={`${t('common.undo')}: ${fullName(user)}`}
        onClick={() => submit()}
      >
        {t('common.undo')}
      </Button>
      <FormError error={error} />
    </Group>
  );
}
