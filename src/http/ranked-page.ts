/** A page of rows that were counted and not stored: the highest first, alike ones by id. */
import { z } from 'zod';
import { fieldError } from './error-codes.ts';
import type { PageQuery } from './list-schema.ts';
import { problem } from './problem.ts';

const Cursor = z.tuple([z.string(), z.number(), z.string().regex(/^[0-9a-f]{24}$/)]);

interface Position {
  rank: number;
  id: string;
}

/** Without `sort`: these lists have one order. */
export type RankedPageQuery = Omit<PageQuery, 'sort'>;

export function rankedPage<T extends { id: string }>(
  rows: T[],
  { limit, cursor, total }: RankedPageQuery,
  list: string,
  rankOf: (row: T) => number,
): { data: T[]; nextCursor: string | null; total?: number } {
  // Ranked once, since each is compared with many others.
  const sorted = rows.map((row) => ({ row, rank: rankOf(row), id: row.id })).sort(compare);
  const after = cursor === undefined ? null : readCursor(cursor, list);
  const rest = after ? sorted.filter((one) => compare(one, after) > 0) : sorted;
  const taken = rest.slice(0, limit);
  const last = taken.at(-1);
  return {
    data: taken.map(({ row }) => row),
    nextCursor: last && rest.length > taken.length ? write(list, last) : null,
    ...(total === 'true' ? { total: rows.length } : {}),
  };
}

const compare = (a: Position, b: Position) => b.rank - a.rank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const write = (list: string, { rank, id }: Position) =>
  Buffer.from(JSON.stringify([list, rank, id])).toString('base64url');

function readCursor(text: string, list: string): Position {
  try {
    const [of, rank, id] = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    if (of === list) return { rank, id };
  } catch {
    // Said below.
  }
  throw problem('INVALID_QUERY', { errors: [fieldError('cursor', 'NOT_CURSOR')] });
}
