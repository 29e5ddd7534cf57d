/** The sorting of a list, stored in the address like its filters. */
import { useAddressParams } from './address.ts';

export interface Sorting {
  /** As the list's `sort` has it: with a minus downwards. */
  now: string;
  of(sort: string): 'ascending' | 'descending' | 'none';
  /** By this one; by it already: the other way round. */
  turn(sort: string): void;
  set(now: string): void;
}

/** The first of `offered` is the list's own order. Of names one expects A first, of times the latest. */
export function useSorting(orders: readonly [string, ...string[]]): Sorting {
  const { params, change } = useAddressParams();
  const [own] = orders;
  const requested = params.get('sort') ?? '';
  const now = orders.some((one) => bare(one) === bare(requested)) ? requested : own;
  const set = (order: string) => change({ cursor: '', sort: order === own ? '' : order });
  return {
    now,
    of: (sort) => (bare(now) !== sort ? 'none' : now.startsWith('-') ? 'descending' : 'ascending'),
    turn: (sort) => {
      const firstTime = orders.find((one) => bare(one) === sort) ?? sort;
      set(bare(now) !== sort ? firstTime : now === sort ? `-${sort}` : sort);
    },
    set,
  };
}

const bare = (sort: string) => sort.replace(/^-/, '');
