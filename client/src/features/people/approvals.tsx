/** The approval desk: who waits, where and how long; approve, reject and reset, one or many, with a way back. */
import type { AnyMongoAbility } from '@casl/ability';
import { Button, Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { ageOf } from '../../desk/age.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { FilterBar, SiteFilter, useFilters } from '../../desk/filters.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { AddressWarning, useStudyAddress } from '../../desk/public-address.tsx';
import { Toast, useToast } from '../../desk/toast.tsx';
import { refreshDesk, useList } from '../../desk/use-list.tsx';
import { useProblemText } from '../../problem-text.ts';
import { useLocationName } from '../../records.ts';
import { useAbility } from '../../session.tsx';
import { FromLeft } from '../../ui/from-left.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import type { User } from '../../wire.ts';
import { moveAll, movesOf, type Status } from './approve.ts';
import { AskAbout, asksForMore, fullName } from './ask-about.tsx';
import { DoneToday } from './decisions.tsx';
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
  const listing = useList<User>(
    '/api/users',
    {
      status,
      location: filters.values.location,
      // Who waits longest stands first; of the others the latest.
      sort: status === 'PENDING' ? 'createdAt' : '-createdAt',
      limit: '50',
      total: 'true',
      cursor: filters.cursor,
    },
    { every: EVERY },
  );
  const ability = useAbility();
  const { url } = useStudyAddress();
  const { busy, move, toast } = useMoves();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = (listing.rows ?? []).filter((user) => ids.has(user.id) && canBeChosen(ability, user));
  const act = (people: User[], to: Status) => {
    setIds(new Set());
    void move(people, to);
  };
  return (
    <DeskPage title={t('approvals.title')} lead={t('approvals.lead')}>
      <FilterBar filters={{ any: filters.values.location !== '', clear: () => filters.set('location', '') }}>
        <SegmentedControl
          size="md"
          fullWidth
          aria-label={t('common.status')}
          value={status}
          onChange={(value) => {
            setIds(new Set());
            filters.set('status', value === 'PENDING' ? '' : value);
          }}
          data={STATUSES.map((value) => ({ value, label: t(`people.status.${value}`) }))}
          className="desk-filter-wide"
        />
        <SiteFilter value={filters.values.location} onChange={(value) => filters.set('location', value)} />
      </FilterBar>
      {status === 'PENDING' ? (
        <WaitingBySite
          rows={listing.rows ?? []}
          total={listing.total}
          onPick={(id) => filters.set('location', id)}
        />
      ) : null}
      {status === 'PENDING' && listing.rows?.some(asksForMore) ? (
        <Notice tone="warn" title={t('approvals.more')}>
          {t('approvals.moreWhat')}
        </Notice>
      ) : null}
      {chosen.length > 0 ? (
        <ChosenBar
          people={chosen}
          busy={busy}
          onMove={(to) => act(chosen, to)}
          onNone={() => setIds(new Set())}
        />
      ) : null}
      <Table
        label={t('approvals.title')}
        listing={listing}
        columns={useColumns(status)}
        id={({ id }) => id}
        link={({ id }) => `/desk/people/${id}`}
        picked={{
          ids: new Set(chosen.map(({ id }) => id)),
          can: (user) => canBeChosen(ability, user),
          name: fullName,
          onChange: setIds,
        }}
        actions={(user) => (
          <Moves people={[user]} busy={busy} onMove={(to) => act([user], to)} about={fullName(user)} />
        )}
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
      <Pager listing={listing} />
      <DoneToday />
      <Toast {...toast} />
    </DeskPage>
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
        asksForMore(user) ? <Tag tone="warn">{app(`role.${user.role}`)}</Tag> : app(`role.${user.role}`),
    },
    {
      head: t('common.site'),
      cell: ({ location }) => (location ? siteName(location) : t('common.noSite')),
      roomy: true,
    },
    { head: t('people.phone'), cell: ({ phone }) => <FromLeft>{phone}</FromLeft> },
    {
      head: status === 'PENDING' ? t('approvals.since') : t('people.signedUp'),
      cell: ({ createdAt }) => ageOf(createdAt, language),
    },
  ];
}

/** What is done, what is said about it, and the way back where the rules have one. */
function useMoves() {
  const { t } = useDeskText();
  const ability = useAbility();
  const problem = useProblemText();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const move = async (people: User[], to: Status, undoing = false): Promise<void> => {
    setBusy(true);
    const { done, failed } = await moveAll(people, to);
    await refreshDesk();
    setBusy(false);
    const lines: string[] = [];
    const [first] = done;
    if (first && done.length === 1)
      lines.push(t(undoing ? 'approvals.undoneOne' : `approvals.doneOne.${to}`, { name: fullName(first) }));
    else if (first)
      lines.push(t(undoing ? 'approvals.undone' : `approvals.done.${to}`, { count: done.length }));
    for (const { user, error } of failed) lines.push(`${fullName(user)}: ${problem(error)}`);
    const back = done.filter((user) => movesOf(ability, user).includes('PENDING'));
    const undo = !undoing && to !== 'PENDING' && back.length === done.length && done.length > 0;
    toast.show({
      text: lines.join(' '),
      bad: failed.length > 0,
      ...(undo ? { undo: () => void move(back, 'PENDING', true) } : {}),
    });
  };
  return { busy, move, toast };
}

interface MovesProps {
  people: User[];
  busy: boolean;
  about?: string;
  onMove(to: Status): void;
}

/** To let volunteers in can be undone with a tap, and needs no question. */
const isPlain = (to: Status, people: User[]) => to === 'APPROVED' && !people.some(asksForMore);

/** Only the moves that are open for all of them. */
function Moves({ people, busy, about, onMove }: MovesProps) {
  const { t } = useDeskText();
  const ability = useAbility();
  const [asking, setAsking] = useState<Status | null>(null);
  const open = people
    .map((user) => movesOf(ability, user))
    .reduce((all, some) => all.filter((one) => some.includes(one)));
  return (
    <>
      {open.map((to) => (
        <Button
          key={to}
          size="sm"
          h={44}
          variant={to === 'APPROVED' ? 'filled' : 'default'}
          disabled={busy}
          {...(about ? { 'aria-label': `${t(`approvals.do.${to}`)}: ${about}` } : {})}
          onClick={() => (isPlain(to, people) ? onMove(to) : setAsking(to))}
        >
          {t(`approvals.do.${to}`)}
        </Button>
      ))}
      {asking ? (
        <AskAbout
          people={people}
          to={asking}
          onYes={async () => onMove(asking)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </>
  );
}

function ChosenBar({ onNone, ...moves }: MovesProps & { onNone(): void }) {
  const { t } = useDeskText();
  return (
    <section
      className="desk-bar"
      aria-label={t('common.chosen', { count: moves.people.length, shown: moves.people.length })}
    >
      <span role="status">
        {t('common.chosen', { count: moves.people.length, shown: moves.people.length })}
      </span>
      <Group gap="xs">
        <Moves {...moves} />
        <Button variant="default" size="sm" h={44} onClick={onNone}>
          {t('common.unchoose')}
        </Button>
      </Group>
    </section>
  );
}
