/** Codes for ids of seeds. A study has hundreds of them, not thousands, so their list is asked for once. */
import { useMemo } from 'react';
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { useAllPages } from '../../desk/all-pages.ts';
import type { Seed } from '../../desk/wire.ts';
import { useAbility } from '../../session.tsx';

const MOST_PAGES = 5;

/** Empty for a seed that was withdrawn. `wanted`: there is one to be named. */
export function useSeedCode(wanted: boolean): (id: string) => string {
  const may = useAbility().can('read', 'Seed');
  const { data } = useAllPages<Seed>('/api/seeds', {
    mostPages: MOST_PAGES,
    fresh: 60_000,
    open: wanted && may,
  });
  const codes = useMemo(
    () => new Map(data?.map(({ id, referralCode }) => [id, formatCode(referralCode)])),
    [data],
  );
  return (id) => codes.get(id) ?? '';
}
