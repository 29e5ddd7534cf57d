/** A page of rows that were counted and not stored: the highest first, alike ones by id. */
import { z } from 'zod';
import { fieldError } from './error-codes.ts';
import type { PageQuery } from './list-schema.ts';
import { problem } from './problem.ts';

const Cursor = z.tuple([z.string(), z.number(), z.string().regex(/^[0-9a-f]{24}$/)]);
type Position = z.infer<typeof Cursor>;

/** Without `sort`: these lists have one order. */
export type RankedPageQuery = Omit<PageQuery, 'sort'>;

export function rankedPage<T extends { id: string }>(
  rows: T[],
  { limit, cursor, total }: RankedPageQuery,
  list: string,
  rankOf: (row: T) => number,
): { data: T[]; nextCursor: string | null; total?: number } {
  const position = (row: T): Position => [list, rankOf(row), row.id];
  const sorted = rows.toSorted((a, b) => compare(position(a), position(b)));
  const after = cursor === undefined ? null : readCursor(cursor, list);
  const rest = after ? sorted.filter((row) => compare(position(row), after) > 0) : sorted;
  const data = rest.slice(0, limit);
  const last = data.at(-1);
  return {
    data,
    nextCursor: last && rest.length > data.length ? write(position(last)) : null,
    ...(total === 'true' ? { total: rows.length } : {}),
  };
}

const compare = ([, a, x]: Position, [, b, y]: Position) => b - a || (x < y ? -1 : x > y ? 1 : 0);
const write = (at: Position) => Buffer.from(JSON.stringify(at)).toString('base64url');

function readCursor(text: string, list: string): Position {
  try {
    const at = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    if (at[0] === list) return at;
  } catch {
    // Said below.
  }
  throw problem('INVALID_QUERY', { errors: [fieldError('cursor', 'NOT_CURSOR')] });
}
