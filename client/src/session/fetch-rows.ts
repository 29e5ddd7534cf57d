/** All matching rows of a list, page by page, up to a limit. */
import type { ListOf } from '../wire.ts';
import { type Query, request, withQuery } from './api.ts';

const PAGE_ROWS = 200;

export async function fetchRows<T>(
  path: string,
  query: Query,
  max: number,
  /** Adds data to each page of rows. */
  complete: (rows: T[]) => T[] | Promise<T[]> = (rows) => rows,
): Promise<{ rows: T[]; isAll: boolean }> {
  const rows: T[] = [];
  let cursor: string | null = '';
  while (cursor !== null && rows.length < max) {
    const url = withQuery(path, { ...query, limit: String(Math.min(PAGE_ROWS, max - rows.length)), cursor });
    const page: ListOf<T> = await request('GET', url);
    rows.push(...(await complete(page.data)));
    cursor = page.nextCursor;
  }
  return { rows, isAll: cursor === null };
}
