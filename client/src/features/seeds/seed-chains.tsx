/** What became of each seed, for who reads the recruitment of all sites: asked for the rows that are shown, and for each page of a file. */
import type { z } from 'zod';
import type { Chains } from '../../../../src/recruitment/schema.ts';
import { request } from '../../api.ts';
import { ageOf } from '../../desk/age.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import type { Column } from '../../desk/list-page.tsx';
import { plainMomentOf } from '../../desk/moment.ts';
import { type Listing, useGet } from '../../desk/use-list.tsx';
import type { Seed } from '../../desk/wire.ts';
import { numberOf } from '../../i18n.ts';
import { readsAll } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { ChainState } from '../board/chain-state.tsx';

type Answer = z.infer<typeof Chains>;
type Chain = Answer['data'][number];
/** Null: nobody came. Absent: that is not known yet. */
export type SeedRow = Seed & { chain?: Chain | null };

const EVERY = 60_000;

const begunOf = (seeds: Seed[]) => seeds.filter(({ survey }) => survey !== null);
const pathOf = (begun: Seed[]) =>
  `/api/recruitment/chains?${new URLSearchParams(begun.map(({ id }) => ['seed', id]))}`;

function withChains(seeds: Seed[], known: Chain[], isAll: boolean): SeedRow[] {
  const chains = new Map(known.map((chain) => [chain.seed, chain]));
  return seeds.map((seed) => {
    const chain = chains.get(seed.id);
    if (chain) return { ...seed, chain };
    return isAll || seed.survey === null ? { ...seed, chain: null } : seed;
  });
}

async function complete(seeds: Seed[]): Promise<SeedRow[]> {
  const begun = begunOf(seeds);
  const known = begun.length > 0 ? (await request<Answer>('GET', pathOf(begun))).data : [];
  return withChains(seeds, known, true);
}

const useOpen = () => readsAll(useAbility(), 'Recruitment');

export function useChains(listing: Listing<Seed>) {
  const open = useOpen();
  const { rows, error } = useWithChains(listing.rows);
  return {
    listing: { ...listing, rows, error: listing.error ?? error } satisfies Listing<SeedRow>,
    /** Adds them to the rows of a file. */
    ...(open ? { complete } : {}),
  };
}

/** At most as many as one question may be about. */
function useWithChains(seeds: Seed[] | undefined): { rows: SeedRow[] | undefined; error: unknown } {
  const open = useOpen();
  const begun = begunOf(seeds ?? []);
  const asked = useGet<Answer>(pathOf(begun), { every: EVERY, open: open && begun.length > 0 });
  const isAll = asked.data !== undefined && !asked.isPlaceholderData;
  return { rows: seeds && withChains(seeds, asked.data?.data ?? [], isAll), error: asked.error };
}

export function useChainColumns(): Column<SeedRow>[] {
  const { t, language } = useDeskText();
  const open = useOpen();
  const cellOf =
    <Shown,>(show: (chain: Chain) => Shown) =>
    ({ chain }: SeedRow) =>
      chain ? show(chain) : chain === null ? null : '…';
  const textOf =
    <Text extends string | number>(tell: (chain: Chain) => Text) =>
    ({ chain }: SeedRow) =>
      chain ? tell(chain) : '';
  if (!open) return [];
  return [
    {
      name: 'chain',
      head: t('seeds.chain'),
      cell: cellOf(({ state }) => <ChainState state={state} />),
      text: textOf(({ state }) => t(`board.chain.${state}`)),
    },
    {
      name: 'last',
      extra: true,
      head: t('board.last'),
      cell: cellOf(({ lastAt }) => ageOf(lastAt, language)),
      text: textOf(({ lastAt }) => plainMomentOf(lastAt)),
      oneLine: true,
    },
    {
      name: 'live',
      extra: true,
      head: t('board.liveCoupons'),
      cell: cellOf(({ liveCoupons }) => numberOf(liveCoupons, language)),
      text: textOf(({ liveCoupons }) => liveCoupons),
      numeric: true,
    },
  ];
}
