/** Decisions about people that can be undone now. They come from the history, so they survive a reload. */
import './decisions.css';
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { fullName } from '../../../../../src/platform/lib/text/full-name.ts';
import { isConflict, request } from '../../../session/api.ts';
import { useLocationName } from '../../../session/records.ts';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { Card } from '../../../ui/page.tsx';
import type { User } from '../../../wire.ts';
import { useSurroundingPageActions } from '../../kit/actions/use-actions.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { inactiveProps } from '../../kit/buttons/inactive-button.ts';
import type { UserDecision } from '../../kit/data/dashboard-wire.ts';
import { refetchDashboard, useGet } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { PersonName } from '../person-name.tsx';
import { isMoreThanVolunteer } from './confirm-approval.tsx';

const MAX_SHOWN = 5;

/** Decisions at most this far apart count as one action. */
const SAME_ACTION_MS = 3_000;

const kindOf = ({ changes }: UserDecision) => JSON.stringify(changes.map(({ path, after }) => [path, after]));
/** Assigned roles, and approvals of roles above volunteer, are made individually. */
const isMadeIndividually = ({ user, changes: [change] }: UserDecision) =>
  change?.path === 'role' || (change?.path === 'approvalStatus' && isMoreThanVolunteer(user));
const keyOf = ({ user, changes }: UserDecision) => `${user.id} ${changes[0]?.path}`;

/** Groups decisions made in one action. Expects the latest first. */
function groupsOf(decisions: UserDecision[]): UserDecision[][] {
  const acts: UserDecision[][] = [];
  for (const one of decisions) {
    const last = acts.at(-1);
    const [before] = last?.slice(-1) ?? [];
    const isSame =
      before &&
      !isMadeIndividually(before) &&
      !isMadeIndividually(one) &&
      kindOf(before) === kindOf(one) &&
      Date.parse(before.at) - Date.parse(one.at) <= SAME_ACTION_MS;
    if (isSame) last?.push(one);
    else acts.push([one]);
  }
  return acts;
}

/** The person's own decisions of today. */
export function UserDecisionsToday() {
  const { t } = useDashboardText();
  const [all, setAll] = useState(false);
  const { data } = useGet<{ data: UserDecision[] }>('/api/users/decisions');
  const decisionGroups = groupsOf(data?.data ?? []);
  if (decisionGroups.length === 0) return null;
  return (
    <Card heading={t('approvals.today')}>
      <ul className="rows">
        {(all ? decisionGroups : decisionGroups.slice(0, MAX_SHOWN)).map(([one, ...others]) =>
          one && others.length === 0 ? (
            <DecisionRow key={keyOf(one)} decision={one} />
          ) : one ? (
            <DecisionGroup key={keyOf(one)} decisions={[one, ...others]} />
          ) : null,
        )}
      </ul>
      {all || decisionGroups.length <= MAX_SHOWN ? null : (
        <PlainButton label={t('approvals.showAll')} variant="subtle" onClick={() => setAll(true)} />
      )}
    </Card>
  );
}

function DecisionRow({ decision }: { decision: UserDecision }) {
  return (
    <li>
      <DecisionText decision={decision} linked />
      <Undo decision={decision} />
    </li>
  );
}

function DecisionGroup({ decisions }: { decisions: [UserDecision, ...UserDecision[]] }) {
  const { t, age, number } = useDashboardText();
  const acts = useSurroundingPageActions();
  const siteName = useLocationName();
  const [first] = decisions;
  const count = decisions.length;
  const site = first.user.location;
  const what =
    first.changes[0]?.path === 'location'
      ? t('bulk.siteDone', { count, site: site ? siteName(site) : t('common.noSite') })
      : t(`approvals.done.${first.user.approvalStatus}`, { count });
  const undo = () =>
    void acts.run<UserDecision, User>({
      items: decisions,
      one: ({ user, undo: body }) => request('PATCH', `/api/users/${user.id}`, { body }),
      name: ({ user }) => fullName(user),
      messageOf: (results) => t('bulk.undone', { count: results.length }),
    });
  return (
    <li className="dashboard-done-many">
      <details>
        <summary>
          {what}{' '}
          <Text component="span" size="sm" c="dimmed">
            {age(first.at)}
          </Text>
        </summary>
        <ul className="rows">
          {decisions.map((one) => (
            <DecisionRow key={keyOf(one)} decision={one} />
          ))}
        </ul>
      </details>
      <PlainButton
        label={t('bulk.undoAll', { shown: number(count) })}
        recordName={what}
        onClick={undo}
        {...inactiveProps(acts.busy)}
      />
    </li>
  );
}

/** Whether undoing only moves someone back to pending. */
const isPutBack = ({ undo: { was, ...back } }: UserDecision) =>
  String(Object.keys(back)) === 'approvalStatus';

/**
 * The latest decisions about this person, whoever made them. Moving back to pending has its own button on the page.
 */
export function LastUserDecision({ user }: { user: User }) {
  const { data } = useGet<{ data: UserDecision[] }>(`/api/users/decisions?user=${user.id}`);
  const last = (data?.data ?? []).filter((one) => one.user.id === user.id);
  return last.map((one) => (
    <div key={keyOf(one)} className="flow last-decision">
      <span>
        <DecisionText decision={one} />{' '}
        <Text component="span" size="sm">
          (<PersonName id={one.by} />)
        </Text>
      </span>
      {isPutBack(one) ? null : <Undo decision={one} />}
    </div>
  ));
}

function DecisionText({
  decision: { user, changes, at },
  linked,
}: {
  decision: UserDecision;
  linked?: boolean;
}) {
  const { t, app, age } = useDashboardText();
  const siteName = useLocationName();
  const name = fullName(user);
  const siteOf = (id: unknown) => (id ? siteName(String(id)) : t('common.noSite'));
  const lines = changes.map(({ path, before, after }) => {
    if (path === 'location') return t('bulk.nowSite', { name, site: siteOf(after), before: siteOf(before) });
    return path === 'role'
      ? t('approvals.nowRole', {
          name,
          role: app(`role.${after as User['role']}`),
          before: app(`role.${before as User['role']}`),
        })
      : t(`approvals.doneOne.${after as User['approvalStatus']}`, { name });
  });
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
        {age(at)}
      </Text>
    </span>
  );
}

function Undo({ decision: { user, undo } }: { decision: UserDecision }) {
  const { t } = useDashboardText();
  const { submit, busy, error } = useSubmit(async () => {
    await request<User>('PATCH', `/api/users/${user.id}`, { body: undo }).catch((error: unknown) => {
      throw isConflict(error) ? new Error(t('approvals.decidedSince', { name: fullName(user) })) : error;
    });
    await refetchDashboard();
  });
  return (
    <Group gap="xs">
      <PlainButton
        label={t('common.undo')}
        loading={busy}
        recordName={fullName(user)}
        onClick={() => submit()}
      />
      <FormError error={error} />
    </Group>
  );
}
