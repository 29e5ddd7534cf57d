/** The sorting of a list, stored in the URL like its filters. */
import { useAddressParams } from './address.ts';

export interface Sorting {
  /** The list's `sort` value; a leading minus means descending. */
  now: string;
  of(sort: string): 'ascending' | 'descending' | 'none';
  /** Sorts by this column, or reverses the order if it already does. */
  turn(sort: string): void;
  set(now: string): void;
}

/**
 * The first of `orders` is the default. Each column first sorts as listed there: names ascending, times latest first.
 */
export function useSorting(orders: readonly [string, ...string[]]): Sorting {
  const { params, change } = useAddressParams();
  const [own] = orders;
  const requested = params.get('sort') ?? '';
  const now = orders.some((one) => withoutMinus(one) === withoutMinus(requested)) ? requested : own;
  const set = (order: string) => change({ cursor: '', sort: order === own ? '' : order });
  return {
    now,
    of: (sort) => (withoutMinus(now) !== sort ? 'none' : now.startsWith('-') ? 'descending' : 'ascending'),
    turn: (sort) => {
      const firstTime = orders.find((one) => withoutMinus(one) === sort) ?? sort;
      set(withoutMinus(now) !== sort ? firstTime : now === sort ? `-${sort}` : sort);
    },
    set,
  };
}

const withoutMinus = (sort: string) => sort.replace(/^-/, '');
