/** One person: details, permissions, and deleting the account. */
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility, useUser } from '../../session/session.tsx';
import { Card } from '../../ui/page.tsx';
import type { User } from '../../wire.ts';
import { DialogButton } from '../kit/actions/dialog.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { refreshAndThrow, useRecord } from '../kit/data/use-list.tsx';
import { useBackPath } from '../kit/list/back-to-list.ts';
import { DashboardPage, PendingPage } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { FactList, type FactListEntry } from '../kit/words/fact-list.tsx';
import { StateTag } from '../kit/words/state-tag.tsx';
import { type AccountStatus, allowedApprovalStepsOf } from './approval/approval-steps.ts';
import { ConfirmApproval } from './approval/confirm-approval.tsx';
import { LastUserDecision } from './approval/decisions.tsx';
import { PersonForm } from './person-form.tsx';
import { PersonGrants } from './person-grants.tsx';
import { PersonName } from './person-name.tsx';
import { Phone } from './phone.tsx';
import { PersonSessions } from './sessions.tsx';
import { SignInCodeButton } from './sign-in-code.tsx';
import { useUnsentText } from './unsent-text.ts';

export default function PersonPage() {
  const { id = '' } = useParams();
  const { t } = useDashboardText();
  const { data: user, error } = useRecord<User>(`/api/users/${id}`);
  if (!user) return <PendingPage title={t('people.one')} back="/desk/people" error={error} />;
  return (
    <DashboardPage title={fullName(user)} back="/desk/people">
      <OnePerson user={user} />
    </DashboardPage>
  );
}

function OnePerson({ user }: { user: User }) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const toast = useToast();
  const record = asPermissionSubject('User', user);
  const saved = () => toast(t('common.saved'));
  const mayChange = ['firstName', 'role', 'location'].some((field) => ability.can('update', record, field));
  const maySignOut = ability.can('update', record, 'approvalStatus');
  return (
    <>
      <div className="dashboard-cards">
        <Account user={user} />
        {mayChange ? <PersonForm key={user.id} user={user} onSaved={saved} /> : null}
        {ability.can('update', record, 'permissions') ? (
          <PersonGrants key={`grants ${user.id}`} user={user} onSaved={saved} />
        ) : null}
        {maySignOut ? <PersonSessions user={user} /> : null}
      </div>
      <Group gap="sm">
        {user.approvalStatus === 'APPROVED' && ability.can('signIn', record) ? (
          <SignInCodeButton user={user} />
        ) : null}
        {maySignOut ? <SignOut user={user} /> : null}
        {maySignOut && user.passkeys?.length ? <RemovePasskeys user={user} /> : null}
        {ability.can('delete', record) ? <Delete user={user} /> : null}
      </Group>
    </>
  );
}

function Account({ user }: { user: User }) {
  const { t, app, moment } = useDashboardText();
  const ability = useAbility();
  const self = useUser();
  const facts: FactListEntry[] = [
    [t('common.status'), <StateTag key="status" of="people.status" state={user.approvalStatus} />],
    [t('people.role'), app(`role.${user.role}`)],
    [
      t('people.phone'),
      <a key="phone" href={`tel:${user.phone}`}>
        <Phone phone={user.phone} />
      </a>,
    ],
    [t('people.email'), user.email ?? t('common.none')],
    [t('people.passkeys'), String(user.passkeys?.length ?? 0)],
    [t('people.signedUp'), moment(user.createdAt)],
  ];
  if (user.approvedBy) facts.push([t('people.approvedBy'), <PersonName key="by" id={user.approvedBy} />]);
  return (
    <Card heading={t('people.account')}>
      <FactList facts={facts} />
      {user.id === self.id ? <Text c="dimmed">{t('people.isYou')}</Text> : <Moves user={user} />}
      {ability.can('list', 'User') ? <LastUserDecision user={user} /> : null}
      <Group gap="lg">
        <Link className="tall-link" to={`/desk/surveys?createdBy=${user.id}`}>
          {t('people.interviews')}
        </Link>
        {ability.can('read', 'AuditEvent') ? (
          <Link className="tall-link" to={`/desk/audit?record=${user.id}`}>
            {t('people.history')}
          </Link>
        ) : null}
      </Group>
    </Card>
  );
}

function Moves({ user }: { user: User }) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const [target, setAsking] = useState<AccountStatus | null>(null);
  const move = (to: AccountStatus) =>
    sendChange('PATCH', `/api/users/${user.id}`, { approvalStatus: to }).catch(refreshAndThrow);
  return (
    <Group gap="sm" my="sm">
      {allowedApprovalStepsOf(ability, user).map((to) => (
        <PlainButton key={to} label={t(`approvals.do.${to}`)} onClick={() => setAsking(to)} />
      ))}
      {target ? (
        <ConfirmApproval
          people={[user]}
          to={target}
          onYes={() => move(target)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </Group>
  );
}

function SignOut({ user }: { user: User }) {
  const { t } = useDashboardText();
  const toast = useToast();
  const name = fullName(user);
  const signOut = async () => {
    await sendChange('POST', `/api/users/${user.id}/sign-out`);
    toast(t('people.signedOut', { name }));
  };
  return (
    <DialogButton
      label={t('people.signOut')}
      title={t('people.signOutTitle', { name })}
      text={t('people.signOutWhat', { name })}
      yes={t('people.signOut')}
      onYes={signOut}
    />
  );
}

function RemovePasskeys({ user }: { user: User }) {
  const { t } = useDashboardText();
  const toast = useToast();
  const name = fullName(user);
  const remove = async () => {
    await sendChange('DELETE', `/api/users/${user.id}/passkeys`);
    toast(t('people.passkeysRemoved', { name }));
  };
  return (
    <DialogButton
      danger
      label={t('people.removePasskeys')}
      title={t('people.removePasskeysTitle', { name })}
      text={t('people.removePasskeysWhat', { name })}
      yes={t('people.removePasskeys')}
      onYes={remove}
    />
  );
}

function Delete({ user }: { user: User }) {
  const { t } = useDashboardText();
  const navigate = useNavigate();
  const list = useBackPath('/desk/people');
  const name = fullName(user);
  const stillOut = useUnsentText([user.id]);
  const remove = async () => {
    await sendChange('DELETE', `/api/users/${user.id}`);
    void navigate(list, { replace: true });
  };
  return (
    <DialogButton
      danger
      label={t('people.delete')}
      title={t('people.deleteTitle', { name })}
      text={[stillOut, t('people.deleteWhat', { name, phone: user.phone })].filter(Boolean).join(' ')}
      yes={t('people.delete')}
      onYes={remove}
    />
  );
}
