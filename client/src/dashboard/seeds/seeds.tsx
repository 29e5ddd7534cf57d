/** Seeds: create, print, and, while unused, void them. */
import { Button, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { request } from '../../session/api.ts';
import { useAbility, useReadsAll } from '../../session/session.tsx';
import { Tag } from '../../ui/notice.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import type { Seed } from '../kit/data/dashboard-wire.ts';
import { ALL_ROUNDS, useRoundParam, useRounds } from '../kit/data/rounds.ts';
import { useList } from '../kit/data/use-list.tsx';
import { useFilters } from '../kit/list/address.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { CodeLink } from '../referral-codes/code-link.tsx';
import { MakeCodesForm, type NewCodeFields } from '../referral-codes/make-form.tsx';
import { PrintDialog, type PrintJob } from '../referral-codes/print-dialog.tsx';
import { DiedChains } from './died-chains.tsx';
import { type SeedRow, useChainColumns, useCsvChainColumns, useSeedRows } from './seed-chains.tsx';
import { VoidSeedsDialog } from './void-seeds.tsx';

export default function SeedsPage() {
  const { t } = useDashboardText();
  const readsChains = useReadsAll('Recruitment');
  const mayVoid = useAbility().can('delete', 'Seed');
  const { location } = useFilters(['location']).values;
  const { openRound } = useRounds();
  const chosen = useRoundParam();
  const round = chosen === ALL_ROUNDS ? '' : chosen || (openRound?.id ?? '');
  /** False for a closed round, whose unused seeds have expired. */
  const isOpen = openRound !== undefined && (round === '' || round === openRound.id);
  const isLive = (seed: Seed) => seed.survey === null && seed.round === openRound?.id;
  const readsCodes = useReadsAll('ReferralCode');
  const unused = useList<Seed>('/api/seeds', {
    location,
    round,
    unused: 'true',
    limit: readsCodes ? '1' : '200',
  });
  /** True if all seeds of the selected sites are used. */
  const noneUnused = unused.rows?.length === 0 && !unused.stale;
  const nonePrintable = unused.rows?.some(isPrintable) === false;
  const [job, setJob] = useState<PrintJob | null>(null);
  const print = (body: object, text: string) =>
    setJob({ path: '/api/seeds/print', body, file: 'seeds.pdf', layout: 'page', text });
  const some = (seeds: Seed[]) => ({ seeds: seeds.map(({ id }) => id) });
  return (
    <ListPage<SeedRow>
      name="seeds"
      path="/api/seeds"
      subject="Seed"
      title={t('seeds.title')}
      lead={t('seeds.lead')}
      useRowDetails={useSeedRows}
      addDetails={useCsvChainColumns()}
      fileHasAll
      filters={[
        { name: 'location', as: 'site' },
        { name: 'kind', words: 'seeds.kinds' },
        { name: 'round', as: 'round' },
        readsChains && { name: 'chain', label: t('seeds.chain'), words: 'board.chain' },
      ]}
      sort={['-createdAt']}
      columns={useColumns()}
      rowName={codeOf}
      rowActions={(seed) =>
        !isLive(seed)
          ? []
          : [
              ...(isPrintable(seed)
                ? [{ label: t('common.print'), onClick: () => print(some([seed]), t('seeds.printOne')) }]
                : []),
              {
                label: t('common.void'),
                right: 'delete',
                danger: true,
                title: t('seeds.withdrawTitle'),
                text: t('seeds.withdrawWhat'),
                send: () => sendChange('DELETE', `/api/seeds/${seed.id}`),
                message: t('seeds.withdrawn'),
              },
            ]
      }
      selection={{
        can: (seed) => isLive(seed) && (isPrintable(seed) || mayVoid),
        actions: (seeds, clear) => [
          seeds.every(isPrintable) && {
            label: t('common.print'),
            onClick: () => print(some(seeds), t('seeds.printSome', { count: seeds.length })),
          },
          mayVoid && {
            label: t('common.void'),
            danger: true,
            dialog: (close) => (
              <VoidSeedsDialog seeds={seeds} name={codeOf} onStart={clear} onClose={close} />
            ),
          },
        ],
      }}
      empty={t('seeds.none')}
      noMatch={t('seeds.noneFound')}
      secondary={
        isOpen ? (
          <Button
            variant="default"
            disabled={nonePrintable}
            onClick={() =>
              print({ unused: true, ...(location ? { location } : {}) }, t('seeds.printUnusedWhat'))
            }
          >
            {t('seeds.printUnused')}
          </Button>
        ) : null
      }
      besideTitle={
        isOpen ? (
          <OpenButton label={t('seeds.make')}>
            {(close) => (
              <MakeSeeds
                onClose={close}
                onMade={(seeds) => print(some(seeds), t('seeds.made', { count: seeds.length }))}
              />
            )}
          </OpenButton>
        ) : null
      }
      above={({ filters, listing }) => (
        <>
          {isOpen ? <DiedChains site={location} /> : null}
          {/* If there are no seeds at all, the list says so itself. */}
          {isOpen && noneUnused && (filters.any || listing.rows?.length) ? (
            <Text c="dimmed">{t(location ? 'seeds.noneUnusedHere' : 'seeds.noneUnused')}</Text>
          ) : null}
        </>
      )}
    >
      {job ? <PrintDialog job={job} onClose={() => setJob(null)} /> : null}
    </ListPage>
  );
}

/** The service doesn't print coupons for people who may not know the code. */
const isPrintable = ({ survey, referralCode }: Seed) => survey === null && referralCode !== null;

/** For people who may not know the claim number of a used seed, or who can't hand out unused ones. */
const NO_CODE = '–';
const codeOf = ({ referralCode }: Pick<Seed, 'referralCode'>) =>
  referralCode ? formatCode(referralCode) : NO_CODE;

function useColumns(): ListColumn<SeedRow>[] {
  const { t } = useDashboardText();
  const mayLook = useAbility().can('list', 'User');
  const stateOf = ({ survey }: Seed) => t(survey ? 'seeds.used' : 'seeds.unused');
  const state = (seed: Seed) => {
    if (!seed.survey) return <Tag tone="good">{stateOf(seed)}</Tag>;
    const name = t('lists.interviewOf', { code: codeOf(seed) });
    return mayLook ? (
      <Link to={`/desk/surveys/${seed.survey}`} aria-label={name}>
        {stateOf(seed)}
      </Link>
    ) : (
      stateOf(seed)
    );
  };
  return [
    {
      field: 'referralCode',
      cell: ({ referralCode }) => (referralCode ? <CodeLink code={referralCode} /> : NO_CODE),
      text: codeOf,
    },
    { field: 'kind', words: 'seeds.kinds', name: 'kind', extra: true },
    { field: 'location', as: 'site', name: 'site' },
    { field: 'note', name: 'note' },
    { name: 'status', head: t('common.status'), cell: state, text: stateOf },
    ...useChainColumns(),
    { field: 'createdAt', as: 'age', name: 'created', sort: 'createdAt', extra: true },
  ];
}

interface MakeSeedsProps {
  onMade(seeds: Seed[]): void;
  onClose(): void;
}

/**
 * Creates seeds at one site, one request each. After a failure the created ones stay, and a retry creates the rest.
 */
function MakeSeeds({ onMade, onClose }: MakeSeedsProps) {
  const createdSeeds = useRef<Seed[]>([]);
  const make = async (body: NewCodeFields, count: number) => {
    while (createdSeeds.current.length < count) {
      createdSeeds.current.push(await request<Seed>('POST', '/api/seeds', { body }));
    }
    onMade(createdSeeds.current);
  };
  return (
    <MakeCodesForm
      texts="seeds"
      creates="Seed"
      count={{ first: 1, most: 50 }}
      make={make}
      onClose={onClose}
    />
  );
}
