/** Approvals: who is pending, where, and for how long. Approve, reject, and reset one or many people, with undo. */
import type { AnyMongoAbility } from '@casl/ability';
import { Text } from '@mantine/core';
import { fullName } from '../../../../../src/platform/lib/text/full-name.ts';
import { useLocations } from '../../../session/records.ts';
import { mayApproveNewUser } from '../../../session/rights.ts';
import { useAbility, useSession } from '../../../session/session.tsx';
import { localeTagOf } from '../../../texts/i18n.ts';
import { Notice, Tag } from '../../../ui/notice.tsx';
import type { Location, User } from '../../../wire.ts';
import { PublicAddressWarning, SignUpAddress } from '../../kit/buttons/public-address.tsx';
import { useFilters } from '../../kit/list/address.ts';
import type { ListColumn } from '../../kit/list/columns.tsx';
import { ListPage, type ListState } from '../../kit/list/list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { AskAdmin } from '../ask-super-admin.tsx';
import { Phone } from '../phone.tsx';
import { UserApprovalButtons } from './approval-buttons.tsx';
import { type AccountStatus, allowedApprovalStepsOf } from './approval-steps.ts';
import { isMoreThanVolunteer } from './confirm-approval.tsx';
import { UserDecisionsToday } from './decisions.tsx';
import { PendingUsersBySite } from './waiting-by-site.tsx';

const REFRESH_MS = 5_000;
const STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const;

/** Roles above volunteer are approved individually, by typing the name. */
const isSelectable = (ability: AnyMongoAbility, user: User) =>
  allowedApprovalStepsOf(ability, user).length > 0 &&
  (user.approvalStatus !== 'PENDING' || !isMoreThanVolunteer(user));

export default function UserApprovals() {
  const { t } = useDashboardText();
  const chosenStatus = useFilters(['status']).values.status;
  const status = STATUSES.find((one) => one === chosenStatus) ?? 'PENDING';
  const pending = status === 'PENDING';
  const ability = useAbility();
  const sites = useSitesToDecide();
  return (
    <ListPage<User>
      minimal
      name="approvals"
      path="/api/users"
      // Pending people: longest waiting first. Others: latest first.
      query={{ sort: pending ? 'createdAt' : '-createdAt' }}
      refetchInterval={REFRESH_MS}
      subject="User"
      title={t('approvals.title')}
      lead={t('approvals.lead')}
      filters={[
        { name: 'status', as: 'segments', words: 'people.status', values: STATUSES },
        { name: 'location', as: 'site', sites: sites },
      ]}
      columns={useColumns(status)}
      rowName={fullName}
      link={({ id }) => `/desk/people/${id}`}
      rowEnd={(user) => {
        const other = status === 'APPROVED' ? null : whoElse(ability, user);
        return other ? (
          <Text component="span" size="sm" c="dimmed">
            {t(`approvals.by.${other}`)}
          </Text>
        ) : (
          <UserApprovalButtons people={[user]} personName={fullName(user)} />
        );
      }}
      selection={{
        can: (user) => isSelectable(ability, user),
        actions: (people, clear) => <UserApprovalButtons people={people} onStart={clear} />,
      }}
      empty={
        pending ? (
          <>
            {t('approvals.empty.PENDING')}
            <SignUpAddress />
            <PublicAddressWarning />
          </>
        ) : (
          t(`approvals.empty.${status}`)
        )
      }
      between={(state) => (pending ? <WhoWaits state={state} sites={sites} /> : null)}
    >
      <UserDecisionsToday />
    </ListPage>
  );
}

function WhoWaits({ state: { listing, filters }, sites }: { state: ListState<User>; sites: Location[] }) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const rows = listing.rows ?? [];
  return (
    <>
      {rows.some((user) => whoElse(ability, user) === 'ADMIN') ? <WhoApproves sites={sites} /> : null}
      <PendingUsersBySite
        rows={rows}
        total={listing.total}
        sites={sites}
        onPick={(id) => filters.set('location', id)}
      />
      {rows.some((user) => isMoreThanVolunteer(user) && allowedApprovalStepsOf(ability, user).length > 0) ? (
        <Notice tone="warn" title={t('approvals.more')}>
          {t('approvals.moreWhat')}
        </Notice>
      ) : null}
    </>
  );
}

/** Who can decide about someone this person can't decide about. */
function whoElse(ability: AnyMongoAbility, user: User): 'ADMIN' | 'SUPER_ADMIN' | null {
  if (allowedApprovalStepsOf(ability, user).length > 0) return null;
  return user.role === 'SUPER_ADMIN' || user.approvalStatus === 'REJECTED' ? 'SUPER_ADMIN' : 'ADMIN';
}

/** The sites whose volunteers this person could approve. */
function useSitesToDecide(): Location[] {
  const now = useSession();
  return useLocations().filter(
    ({ id }) => now !== null && mayApproveNewUser(now, { role: 'VOLUNTEER', location: id }),
  );
}

/** Explains why some rows have no buttons, and who has them. */
function WhoApproves({ sites }: { sites: Location[] }) {
  const { t, language } = useDashboardText();
  const names = new Intl.ListFormat(localeTagOf(language)).format(sites.map(({ name }) => name));
  return (
    <Notice tone="info" title={t('approvals.others')}>
      {sites.length > 0 ? t('approvals.yours', { sites: names }) : t('approvals.noneYours')} <AskAdmin />
    </Notice>
  );
}

function useColumns(status: AccountStatus): ListColumn<User>[] {
  const { t, app } = useDashboardText();
  const pending = status === 'PENDING';
  const role = (user: User) => app(`role.${user.role}`);
  return [
    { head: t('common.name'), cell: fullName },
    {
      head: pending ? t('approvals.wants') : t('people.role'),
      cell: (user) =>
        pending && isMoreThanVolunteer(user) ? <Tag tone="warn">{role(user)}</Tag> : role(user),
    },
    { field: 'location', as: 'site' },
    { field: 'phone', cell: ({ phone }) => <Phone phone={phone} /> },
    { field: 'createdAt', as: 'age', head: pending ? t('approvals.since') : t('people.signedUp') },
  ];
}
