/** A page of calculated rows that are not stored: highest first, ties by id. */
import { z } from 'zod';
import { CursorId, readCursor, writeCursor } from './cursor.ts';
import type { PageQuery } from './list-schema.ts';

interface Position {
  rank: number;
  id: string;
}

/** Without `sort`, because these lists have only one order. */
export type RankedPageQuery = Omit<PageQuery, 'sort'>;

export function pageOfRanked<T extends { id: string }>(
  rows: T[],
  { limit, cursor, total }: RankedPageQuery,
  list: string,
  rankOf: (row: T) => number,
): { data: T[]; nextCursor: string | null; total?: number } {
  // Calculated once, because sorting compares each row many times.
  const sorted = rows.map((row) => ({ row, rank: rankOf(row), id: row.id })).sort(compare);
  const after = cursor === undefined ? null : readPosition(cursor, list);
  const rest = after ? sorted.filter((one) => compare(one, after) > 0) : sorted;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ row }) => row),
    nextCursor: last && rest.length > page.length ? writeCursor([list, last.rank, last.id]) : null,
    ...(total === 'true' ? { total: rows.length } : {}),
  };
}

const compare = (a: Position, b: Position) => b.rank - a.rank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

function readPosition(text: string, list: string): Position {
  const [, rank, id] = readCursor(text, z.tuple([z.literal(list), z.number(), CursorId]));
  return { rank, id };
}
