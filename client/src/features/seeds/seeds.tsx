/** The starting points of recruitment: made, printed, and taken away while nobody has come from them. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { request } from '../../api.ts';
import { ActArea } from '../../desk/act-area.tsx';
import { ageOf } from '../../desk/age.ts';
import { useChosenColumns } from '../../desk/chosen-columns.tsx';
import { useChosenRows } from '../../desk/chosen-rows.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DialogButton } from '../../desk/dialog.tsx';
import { DownloadList } from '../../desk/download-list.tsx';
import { ChoiceFilter, FilterBar, SiteFilter, useFilters } from '../../desk/filters.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { plainMomentOf } from '../../desk/moment.ts';
import { RarerActs } from '../../desk/rarer-acts.tsx';
import { useSorting } from '../../desk/sorting.ts';
import { useActs } from '../../desk/use-acts.ts';
import { refreshDesk, useList } from '../../desk/use-list.tsx';
import type { Seed } from '../../desk/wire.ts';
import { useLocationName } from '../../records.ts';
import { asRecord, readsAll } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { Tag } from '../../ui/notice.tsx';
import { CodeLink } from '../referral-codes/code-link.tsx';
import { PrintDialog, type PrintJob } from '../referral-codes/print-dialog.tsx';
import { DiedChains } from './died-chains.tsx';
import { MakeSeeds } from './make-seeds.tsx';
import { type SeedRow, useChainColumns, useChains } from './seed-chains.tsx';

const KINDS = ['PLANNED', 'WALK_IN'] as const;
const CHAINS = ['ALIVE', 'SILENT', 'NO_COUPONS', 'DIED'] as const;

export default function Seeds() {
  const { t } = useDeskText();
  const ability = useAbility();
  const acts = useActs();
  const filters = useFilters(['location', 'kind', 'chain']);
  const { values, set, cursor } = filters;
  const sorting = useSorting(['-createdAt']);
  const query = { ...values, sort: sorting.now };
  const listing = useList<Seed>('/api/seeds', { ...query, cursor, limit: '50', total: 'true' });
  const all = useColumns();
  const { columns, choice } = useChosenColumns('seeds', all);
  const chains = useChains(listing);
  const unused = useList<Seed>('/api/seeds', { location: values.location, unused: 'true', limit: '1' });
  /** Nothing is left to print: every seed of the site, or of all, has been come with. */
  const noneUnused = unused.rows?.length === 0 && !unused.stale;
  const [making, setMaking] = useState(false);
  const [job, setJob] = useState<PrintJob | null>(null);
  const print = (body: object, text: string) =>
    setJob({ path: '/api/seeds/print', body, file: 'seeds.pdf', layout: 'page', text });
  const chosen = useChosenRows({
    path: '/api/seeds',
    filters: values,
    sort: sorting.now,
    cursor,
    listing,
    id: ({ id }) => id,
    can: ({ survey }) => survey === null,
    name: ({ referralCode }) => formatCode(referralCode),
    // All seeds that nobody has come from are printed by a button of their own.
    whole: false,
  });
  const mayDelete = (seed: Seed) => ability.can('delete', asRecord('Seed', seed));
  const actions = (seed: Seed) =>
    seed.survey ? null : (
      <>
        <Button
          variant="default"
          size="sm"
          aria-label={`${t('common.print')}: ${seed.referralCode}`}
          onClick={() => print({ seeds: [seed.id] }, t('seeds.printOne'))}
        >
          {t('common.print')}
        </Button>
        {mayDelete(seed) ? (
          <Withdraw seed={seed} onDone={() => acts.toast.show({ text: t('seeds.withdrawn') })} />
        ) : null}
      </>
    );
  return (
    <DeskPage
      title={t('seeds.title')}
      lead={t('seeds.lead')}
      beside={
        <>
          {choice}
          <RarerActs>
            <DownloadList
              name="seeds"
              columns={all}
              from={{ path: '/api/seeds', query, complete: chains.complete }}
            />
            <Button
              variant="default"
              disabled={noneUnused}
              onClick={() =>
                print(
                  { unused: true, ...(values.location ? { location: values.location } : {}) },
                  t('seeds.printUnusedWhat'),
                )
              }
            >
              {t('seeds.printUnused')}
            </Button>
          </RarerActs>
          <Button onClick={() => setMaking(true)}>{t('seeds.make')}</Button>
        </>
      }
    >
      <DiedChains site={values.location} />
      {/* Of none at all the list itself says so. */}
      {noneUnused && (filters.any || listing.rows?.length) ? (
        <Text c="dimmed">{t(values.location ? 'seeds.noneUnusedHere' : 'seeds.noneUnused')}</Text>
      ) : null}
      <FilterBar filters={filters}>
        <SiteFilter value={values.location} onChange={(value) => set('location', value)} />
        <ChoiceFilter
          label={t('common.type')}
          value={values.kind}
          onChange={(value) => set('kind', value)}
          options={KINDS.map((value) => ({ value, label: t(`seeds.kinds.${value}`) }))}
        />
        {readsAll(ability, 'Recruitment') ? (
          <ChoiceFilter
            label={t('seeds.chain')}
            value={values.chain}
            onChange={(value) => set('chain', value)}
            options={CHAINS.map((value) => ({ value, label: t(`board.chain.${value}`) }))}
          />
        ) : null}
      </FilterBar>
      <Table
        label={t('seeds.title')}
        listing={chains.listing}
        columns={columns}
        sorting={sorting}
        id={({ id }) => id}
        picked={chosen.picked}
        actions={actions}
        empty={filters.any ? t('seeds.noneFound') : t('seeds.none')}
      />
      <ActArea acts={acts} chosen={chosen}>
        <Button
          size="sm"
          onClick={() =>
            print(
              { seeds: chosen.rows.map(({ id }) => id) },
              t('seeds.printSome', { count: chosen.rows.length }),
            )
          }
        >
          {t('common.print')}
        </Button>
      </ActArea>
      <Pager listing={listing} />
      {making ? (
        <MakeSeeds
          onClose={() => setMaking(false)}
          onMade={(seeds) =>
            print({ seeds: seeds.map(({ id }) => id) }, t('seeds.made', { count: seeds.length }))
          }
        />
      ) : null}
      {job ? <PrintDialog job={job} onClose={() => setJob(null)} /> : null}
    </DeskPage>
  );
}

function useColumns(): Column<SeedRow>[] {
  const { t, language } = useDeskText();
  const siteName = useLocationName();
  const mayLook = useAbility().can('list', 'User');
  const stateOf = ({ survey }: Seed) => t(survey ? 'seeds.used' : 'seeds.unused');
  return [
    {
      head: t('seeds.code'),
      cell: ({ referralCode }) => <CodeLink code={referralCode} />,
      text: ({ referralCode }) => formatCode(referralCode),
    },
    { name: 'kind', extra: true, head: t('common.type'), cell: ({ kind }) => t(`seeds.kinds.${kind}`) },
    { name: 'site', head: t('common.site'), cell: ({ location }) => siteName(location), roomy: true },
    { name: 'note', head: t('common.note'), cell: ({ note }) => note },
    {
      name: 'status',
      head: t('common.status'),
      cell: (seed) => {
        if (!seed.survey) return <Tag tone="good">{stateOf(seed)}</Tag>;
        return mayLook ? (
          <Link
            to={`/desk/surveys/${seed.survey}`}
            aria-label={t('lists.interviewOf', { code: formatCode(seed.referralCode) })}
          >
            {stateOf(seed)}
          </Link>
        ) : (
          stateOf(seed)
        );
      },
      text: stateOf,
    },
    ...useChainColumns(),
    {
      name: 'created',
      head: t('seeds.created'),
      cell: ({ createdAt }) => ageOf(createdAt, language),
      text: ({ createdAt }) => plainMomentOf(createdAt),
      sort: 'createdAt',
      oneLine: true,
    },
  ];
}

function Withdraw({ seed, onDone }: { seed: Seed; onDone(): void }) {
  const { t } = useDeskText();
  const withdraw = async () => {
    await request('DELETE', `/api/seeds/${seed.id}`);
    await refreshDesk();
    onDone();
  };
  return (
    <DialogButton
      small
      danger
      label={t('common.void')}
      about={seed.referralCode}
      title={t('seeds.withdrawTitle')}
      text={t('seeds.withdrawWhat')}
      yes={t('common.void')}
      onYes={withdraw}
    />
  );
}
