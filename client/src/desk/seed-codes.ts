/** Codes for ids of seeds. A study has hundreds of them, not thousands, so their list is asked for once. */
import { useQuery } from '@tanstack/react-query';
import { formatCode } from '../../../src/referral-codes/code.ts';
import { request } from '../api.ts';
import { useAbility, useUser } from '../session.tsx';
import type { ListOf } from '../wire.ts';
import type { Seed } from './parts/wire.ts';

const PAGE = 200;
const MOST_PAGES = 5;

async function fetchCodes(): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  let cursor: string | null = '';
  for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
    const from: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const answer: ListOf<Seed> = await request('GET', `/api/seeds?limit=${PAGE}${from}`);
    for (const { id, referralCode } of answer.data) codes.set(id, formatCode(referralCode));
    cursor = answer.nextCursor;
  }
  return codes;
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
