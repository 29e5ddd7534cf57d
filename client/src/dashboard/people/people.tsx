/** Everyone with an account: search by name, phone, site, status, and role, and add people. */

import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import type { User } from '../../wire.ts';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { AddUserDialog } from './add-person.tsx';
import { UserApprovalButtons } from './approval/approval-buttons.tsx';
import { allowedApprovalStepsOf } from './approval/approval-steps.ts';
import { UserDecisionsToday } from './approval/decisions.tsx';
import { AssignSite } from './assign-site.tsx';
import { Phone } from './phone.tsx';
import { ROLES } from './roles.ts';

export default function People() {
  const { t } = useDashboardText();
  const ability = useAbility();
  const maySend = (user: User) => ability.can('update', asPermissionSubject('User', user), 'location');
  const columns: ListColumn<User>[] = [
    { head: t('common.name'), cell: fullName, sort: 'firstName' },
    { field: 'role', words: 'role', name: 'role' },
    { field: 'location', as: 'site', name: 'site' },
    {
      field: 'phone',
      name: 'phone',
      cell: ({ phone }) => <Phone phone={phone} />,
      text: ({ phone }) => phone,
    },
    { field: 'email', name: 'email', extra: true },
    {
      head: t('people.passkeys'),
      name: 'passkeys',
      extra: true,
      cell: ({ passkeys = [] }) => String(passkeys.length),
    },
    { field: 'approvalStatus', words: 'people.status', tag: true, name: 'status', head: t('common.status') },
    { field: 'createdAt', as: 'age', name: 'since', head: t('people.signedUp'), sort: 'createdAt' },
  ];
  return (
    <ListPage<User>
      name="people"
      path="/api/users"
      subject="User"
      title={t('people.title')}
      lead={t('people.lead')}
      views
      filters={[
        { name: 'search', as: 'search', label: t('people.search') },
        { name: 'location', as: 'site' },
        { name: 'status', words: 'people.status' },
        { name: 'role', words: 'role', values: ROLES },
        {
          name: 'withoutPasskey',
          label: t('people.withoutPasskey'),
          options: [{ value: 'true', label: t('people.passkeyMissing') }],
        },
      ]}
      sort={['-createdAt', 'firstName']}
      columns={columns}
      rowName={fullName}
      link={({ id }) => `/desk/people/${id}`}
      selection={{
        can: (user) => maySend(user) || allowedApprovalStepsOf(ability, user).length > 0,
        actions: (people, clear) => (
          <>
            {people.some(maySend) ? <AssignSite people={people} onStart={clear} /> : null}
            <UserApprovalButtons people={people} onStart={clear} />
          </>
        ),
      }}
      empty={t('people.none')}
      noMatch={t('people.noneFound')}
      besideTitle={
        ability.can('create', 'User') ? (
          <OpenButton label={t('people.add')}>{(close) => <AddUserDialog onClose={close} />}</OpenButton>
        ) : null
      }
    >
      <UserDecisionsToday />
    </ListPage>
  );
}
