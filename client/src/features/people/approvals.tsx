/** The approval desk: who waits, where and how long; approve, reject and reset, one or many, with a way back. */
import type { AnyMongoAbility } from '@casl/ability';
import { SegmentedControl, Text } from '@mantine/core';
import { ActArea } from '../../desk/act-area.tsx';
import { ageOf } from '../../desk/age.ts';
import { useChosenRows } from '../../desk/chosen-rows.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { FilterBar, SiteFilter, useFilters } from '../../desk/filters.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { AddressWarning, useStudyAddress } from '../../desk/public-address.tsx';
import { useActs } from '../../desk/use-acts.ts';
import { useList } from '../../desk/use-list.tsx';
import { tagOf } from '../../i18n.ts';
import { useLocationName, useLocations } from '../../records.ts';
import { mayApproveNew } from '../../rights.ts';
import { useAbility, useSession } from '../../session.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import type { Location, User } from '../../wire.ts';
import { movesOf, type Status } from './approve.ts';
import { asksForMore, fullName } from './ask-about.tsx';
import { AskAdmin } from './ask-super-admin.tsx';
import { DoneToday } from './decisions.tsx';
import { Moves } from './moves.tsx';
import { Phone } from './phone.tsx';
import { WaitingBySite } from './waiting-by-site.tsx';

const EVERY = 5_000;
const STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const;

/** Who asks for more than to interview is let in alone, by name. */
const canBeChosen = (ability: AnyMongoAbility, user: User) =>
  movesOf(ability, user).length > 0 && (user.approvalStatus !== 'PENDING' || !asksForMore(user));

export default function Approvals() {
  const { t } = useDeskText();
  const filters = useFilters(['location', 'status']);
  const status = STATUSES.find((one) => one === filters.values.status) ?? 'PENDING';
  const narrowed = { status, location: filters.values.location };
  // Who waits longest stands first; of the others the latest.
  const sort = status === 'PENDING' ? 'createdAt' : '-createdAt';
  const { cursor } = filters;
  const listing = useList<User>(
    '/api/users',
    { ...narrowed, sort, limit: '50', total: 'true', cursor },
    { every: EVERY },
  );
  const ability = useAbility();
  const sites = useSitesToDecide();
  const { url } = useStudyAddress();
  const acts = useActs();
  const chosen = useChosenRows({
    path: '/api/users',
    filters: narrowed,
    sort,
    cursor,
    listing,
    id: ({ id }) => id,
    can: (user) => canBeChosen(ability, user),
    name: fullName,
  });
  return (
    <DeskPage title={t('approvals.title')} lead={t('approvals.lead')}>
      <FilterBar filters={{ any: filters.values.location !== '', clear: () => filters.set('location', '') }}>
        <SegmentedControl
          size="md"
          fullWidth
          aria-label={t('common.status')}
          value={status}
          onChange={(value) => filters.set('status', value === 'PENDING' ? '' : value)}
          data={STATUSES.map((value) => ({ value, label: t(`people.status.${value}`) }))}
          className="desk-filter-wide"
        />
        <SiteFilter
          value={filters.values.location}
          onChange={(value) => filters.set('location', value)}
          offered={sites}
        />
      </FilterBar>
      {status === 'PENDING' && listing.rows?.some((user) => whoElse(ability, user) === 'ADMIN') ? (
        <OthersApprove sites={sites} />
      ) : null}
      {status === 'PENDING' ? (
        <WaitingBySite
          rows={listing.rows ?? []}
          total={listing.total}
          offered={sites}
          onPick={(id) => filters.set('location', id)}
        />
      ) : null}
      {status === 'PENDING' &&
      listing.rows?.some((user) => asksForMore(user) && movesOf(ability, user).length > 0) ? (
        <Notice tone="warn" title={t('approvals.more')}>
          {t('approvals.moreWhat')}
        </Notice>
      ) : null}
      <Table
        label={t('approvals.title')}
        listing={listing}
        columns={useColumns(status)}
        id={({ id }) => id}
        link={({ id }) => `/desk/people/${id}`}
        picked={chosen.picked}
        actions={(user) => {
          const other = status === 'APPROVED' ? null : whoElse(ability, user);
          return other ? (
            <Text component="span" size="sm" c="dimmed">
              {t(`approvals.by.${other}`)}
            </Text>
          ) : (
            <Moves people={[user]} acts={acts} about={fullName(user)} />
          );
        }}
        empty={
          status === 'PENDING' ? (
            <>
              {t('approvals.empty.PENDING')} <b className="desk-address">{url}/sign-up</b>
              <AddressWarning />
            </>
          ) : (
            t(`approvals.empty.${status}`)
          )
        }
      />
      <ActArea acts={acts} chosen={chosen}>
        <Moves people={chosen.rows} acts={acts} onStart={chosen.none} />
      </ActArea>
      <Pager listing={listing} />
      <DoneToday acts={acts} />
    </DeskPage>
  );
}

/** Who decides about someone about whom this person may not. */
function whoElse(ability: AnyMongoAbility, user: User): 'ADMIN' | 'SUPER_ADMIN' | null {
  if (movesOf(ability, user).length > 0) return null;
  return user.role === 'SUPER_ADMIN' || user.approvalStatus === 'REJECTED' ? 'SUPER_ADMIN' : 'ADMIN';
}

/** The sites whose volunteers this person would approve on the day on which they sign up. */
function useSitesToDecide(): Location[] {
  const now = useSession();
  return useLocations().filter(
    ({ id }) => now !== null && mayApproveNew(now, { role: 'VOLUNTEER', location: id }),
  );
}

/** Why there are rows without a button, and who has one. */
function OthersApprove({ sites }: { sites: Location[] }) {
  const { t, language } = useDeskText();
  const names = new Intl.ListFormat(tagOf(language)).format(sites.map(({ name }) => name));
  return (
    <Notice tone="info" title={t('approvals.others')}>
      {sites.length > 0 ? t('approvals.yours', { sites: names }) : t('approvals.noneYours')} <AskAdmin />
    </Notice>
  );
}

function useColumns(status: Status): Column<User>[] {
  const { t, app, language } = useDeskText();
  const siteName = useLocationName();
  return [
    { head: t('common.name'), cell: fullName },
    {
      head: status === 'PENDING' ? t('approvals.wants') : t('people.role'),
      cell: (user) =>
        status === 'PENDING' && asksForMore(user) ? (
          <Tag tone="warn">{app(`role.${user.role}`)}</Tag>
        ) : (
          app(`role.${user.role}`)
        ),
    },
    {
      head: t('common.site'),
      cell: ({ location }) => (location ? siteName(location) : t('common.noSite')),
      roomy: true,
    },
    { head: t('people.phone'), cell: ({ phone }) => <Phone phone={phone} /> },
    {
      head: status === 'PENDING' ? t('approvals.since') : t('people.signedUp'),
      cell: ({ createdAt }) => ageOf(createdAt, language),
    },
  ];
}
