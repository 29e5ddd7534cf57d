/** Codes for ids of seeds. A study has hundreds of them, not thousands, so their list is asked for once. */
import { useQuery } from '@tanstack/react-query';
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { allPages } from '../../desk/all-pages.ts';
import type { Seed } from '../../desk/wire.ts';
import { useAbility, useUser } from '../../session.tsx';

const MOST_PAGES = 5;

async function fetchCodes(): Promise<Map<string, string>> {
  const seeds = await allPages<Seed>('/api/seeds', MOST_PAGES);
  return new Map(seeds.map(({ id, referralCode }) => [id, formatCode(referralCode)]));
}

/** Empty for a seed that was withdrawn. `wanted`: there is one to be named. */
export function useSeedCode(wanted: boolean): (id: string) => string {
  const owner = useUser().id;
  const may = useAbility().can('read', 'Seed');
  const { data } = useQuery({
    queryKey: ['desk', owner, 'seed-codes'],
    queryFn: fetchCodes,
    enabled: wanted && may,
    staleTime: 60_000,
  });
  return (id) => data?.get(id) ?? '';
}
