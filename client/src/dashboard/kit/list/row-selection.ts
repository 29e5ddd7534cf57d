/** Rows selected in a list, across pages: one by one, a whole page, or all that match. */
import { useState } from 'react';
import type { Query } from '../../../session/api.ts';
import { fetchRows } from '../../../session/fetch-rows.ts';
import type { ListQueryResult } from '../data/use-list.tsx';
import type { TableSelection } from './list-table.tsx';

/**
 * Maximum number of selected rows: an action on this many ends within a minute and leaves capacity for other work.
 */
export const MAX_SELECTED = 500;

interface List<T> {
  path: string;
  /** Changing the filters starts a new selection. */
  filters: Query;
  sort: string;
  cursor: string | undefined;
  listing: ListQueryResult<T>;
  id(row: T): string;
  /** Rows that no action applies to have no checkbox. */
  can(row: T): boolean;
  name(row: T): string;
  /** Offers to select all matching rows. */
  whole?: boolean;
}

export interface SelectedRows<T> {
  rows: T[];
  picked: TableSelection<T>;
  none(): void;
  /** All matching rows, if there are more than the page shows and they aren't all selected yet. */
  matching: { total: number; choose(): Promise<void> } | null;
  /** After selecting all matching rows: how many of them no action applies to. */
  leftOut: number;
}

interface SelectionState<T> {
  of: string;
  rows: ReadonlyMap<string, { row: T; page: string | null }>;
  matched: number | null;
}

const none = <T>(of: string): SelectionState<T> => ({ of, rows: new Map(), matched: null });

export function useSelectedRows<T>({
  path,
  filters,
  sort,
  cursor,
  listing,
  id,
  can,
  name,
  whole = true,
}: List<T>): SelectedRows<T> {
  const of = JSON.stringify([path, filters]);
  const page = `${sort} ${cursor ?? ''}`;
  const [picks, keep] = useState<SelectionState<T>>(() => none(of));
  if (picks.of !== of) keep(none(of));
  const visible = new Map((listing.rows ?? []).map((row) => [id(row), row]));
  // Uses the current version of each row, and drops rows that left the page because someone else handled
  // them.
  const chosen = new Map(
    [...(picks.of === of ? picks.rows : [])].flatMap(([key, one]) => {
      const row = visible.get(key) ?? one.row;
      const hasLeft = one.page === page && listing.rows && !listing.stale && !visible.has(key);
      return hasLeft || !can(row) ? [] : [[key, { ...one, row }] as const];
    }),
  );
  const onChange = (ids: ReadonlySet<string>) => {
    const rows = [...ids].flatMap((key) => {
      const row = visible.get(key);
      const one = chosen.get(key) ?? (row && { row, page });
      return one ? [[key, one] as const] : [];
    });
    keep({ of, rows: new Map(rows.slice(0, MAX_SELECTED)), matched: null });
  };
  const choose = async () => {
    const { rows } = await fetchRows<T>(path, { ...filters, sort }, MAX_SELECTED);
    const open = rows.filter(can).map((row) => [id(row), { row, page: null }] as const);
    keep({ of, rows: new Map(open), matched: rows.length });
  };
  const total = listing.total ?? 0;
  return {
    rows: [...chosen.values()].map(({ row }) => row),
    picked: { ids: new Set(chosen.keys()), can, name, onChange },
    none: () => keep(none(of)),
    matching: whole && picks.matched === null && total > visible.size ? { total, choose } : null,
    leftOut: picks.matched === null ? 0 : Math.max(0, picks.matched - chosen.size),
  };
}
