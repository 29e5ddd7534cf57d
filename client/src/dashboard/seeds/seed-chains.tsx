/**
 * The chain of each seed, for people who can read recruitment at all sites. Requested for the visible rows, and for
 * each page of a file.
 */
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { Chains } from '../../../../src/board/recruitment/schema.ts';
import { request } from '../../session/api.ts';
import { useReadsAll } from '../../session/session.tsx';
import type { Seed } from '../kit/data/dashboard-wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import type { ListColumn } from '../kit/list/columns.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { isoMomentOf } from '../kit/words/moment.ts';
import { StateTag } from '../kit/words/state-tag.tsx';

type Answer = z.infer<typeof Chains>;
type Chain = Answer['data'][number];
/** Null: nobody came with this seed. Absent: not loaded. */
export type SeedRow = Seed & { chain?: Chain | null };

const REFRESH_MS = 60_000;

const startedSeeds = (seeds: Seed[]) => seeds.filter(({ survey }) => survey !== null);
const inRound = (seeds: Seed[], id: string | undefined) => seeds.filter(({ round }) => round === id);
/** All of these must be in the same round. */
const pathOf = (begun: Seed[]) =>
  `/api/recruitment/chains?${new URLSearchParams([['round', begun[0]?.round ?? ''], ...begun.map(({ id }) => ['seed', id])])}`;

function withChains(seeds: Seed[], known: Chain[], isAsked: (seed: Seed) => boolean): SeedRow[] {
  const chains = new Map(known.map((chain) => [chain.seed, chain]));
  return seeds.map((seed) => {
    const chain = chains.get(seed.id);
    if (chain) return { ...seed, chain };
    return isAsked(seed) || seed.survey === null ? { ...seed, chain: null } : seed;
  });
}

async function addChains(seeds: Seed[]): Promise<SeedRow[]> {
  const begun = startedSeeds(seeds);
  const known: Chain[] = [];
  for (const round of new Set(begun.map((seed) => seed.round)))
    known.push(...(await request<Answer>('GET', pathOf(inRound(begun, round)))).data);
  return withChains(seeds, known, () => true);
}

const useOpen = () => useReadsAll('Recruitment');

/** Adds the chains to the rows of a CSV file. */
export const useCsvChainColumns = () => (useOpen() ? addChains : undefined);

/** `seeds`: at most as many as one request allows. */
export function useSeedRows(seeds: Seed[] | undefined): { rows: SeedRow[] | undefined; error: unknown } {
  const open = useOpen();
  // Lists show a single round, unless the user selected all.
  const round = seeds?.[0]?.round;
  const begun = inRound(startedSeeds(seeds ?? []), round);
  const query = useGet<Answer>(pathOf(begun), {
    refetchInterval: REFRESH_MS,
    enabled: open && begun.length > 0,
  });
  const isAll = query.data !== undefined && !query.isPlaceholderData;
  const isAsked = (seed: Seed) => isAll && seed.round === round;
  return { rows: seeds && withChains(seeds, query.data?.data ?? [], isAsked), error: query.error };
}

export function useChainColumns(): ListColumn<SeedRow>[] {
  const { t, age, number } = useDashboardText();
  const open = useOpen();
  const column = (
    head: string,
    show: (chain: Chain) => ReactNode,
    tell: (chain: Chain) => string | number,
  ) => ({
    head,
    cell: ({ chain }: SeedRow) => (chain ? show(chain) : chain === null ? null : '…'),
    text: ({ chain }: SeedRow) => (chain ? tell(chain) : ''),
  });
  if (!open) return [];
  return [
    {
      name: 'chain',
      ...column(
        t('seeds.chain'),
        ({ state }) => <StateTag of="board.chain" state={state} />,
        ({ state }) => t(`board.chain.${state}`),
      ),
    },
    {
      name: 'interviews',
      numeric: true,
      ...column(
        t('seeds.interviews'),
        ({ surveys }) => number(surveys),
        ({ surveys }) => surveys,
      ),
    },
    {
      name: 'waves',
      numeric: true,
      ...column(
        t('seeds.waves'),
        ({ maxWave }) => number(maxWave),
        ({ maxWave }) => maxWave,
      ),
    },
    {
      name: 'last',
      extra: true,
      oneLine: true,
      ...column(
        t('board.last'),
        ({ lastAt }) => age(lastAt),
        ({ lastAt }) => isoMomentOf(lastAt),
      ),
    },
    {
      name: 'live',
      extra: true,
      numeric: true,
      ...column(
        t('board.liveCoupons'),
        ({ liveCoupons }) => number(liveCoupons),
        ({ liveCoupons }) => liveCoupons,
      ),
    },
  ];
}
