/** One page of a collection in a stable order. */
import type { Model, Query, QueryFilter, Types } from 'mongoose';
import mongoose from 'mongoose';
import { z } from 'zod';
import { fieldError } from './faults.ts';
import type { PageQuery } from './list.ts';
import { problem } from './problem.ts';

/** By which fields a `sort` orders, before the id. */
const ORDERS = {
  createdAt: ['createdAt'],
  heldAt: ['heldAt'],
  name: ['name'],
  firstName: ['firstName', 'lastName'],
} as const;
type Order = keyof typeof ORDERS;

interface Position {
  sort: string;
  values: (Date | string)[];
  id: Types.ObjectId;
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
  total?: number;
}

/** Names are compared without regard to case, in the database's order and ours alike. */
export const NAME_COLLATION = { locale: 'en', strength: 2 } as const;

/** A grant may name a condition whose field these records lack: it then matches nothing, and is no error. */
const ANY_FIELD = { strictQuery: false } as const;

export interface PageShape<T> {
  /** For large records: what goes out of each; null ends the page before it. */
  room?: (record: T) => T | null;
}

/** One page of what `filter` matches. `filter` already holds the abilities' query (see guard.ts). */
export async function page<T extends { _id: Types.ObjectId }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  query: PageQuery,
  shape: PageShape<T> = {},
): Promise<Page<T>> {
  const [taken, total] = await Promise.all([
    take(search(model, filter, query), query.limit ?? Number.POSITIVE_INFINITY, shape),
    totalOf(model, filter, query),
  ]);
  return { data: taken.data, nextCursor: nextCursor(taken, query), ...total };
}

/** Finds one record more than the page has, which tells whether there is another page. */
export function search<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { sort, cursor, limit }: PageQuery,
): Query<unknown, T> {
  const fields = ORDERS[orderOf(sort)];
  const down = sort.startsWith('-');
  const direction = down ? -1 : 1;
  const parts: object[] = [filter];
  if (cursor !== undefined) parts.push(beyond(readCursor(cursor, sort), fields, down));
  const find = model
    .find({ $and: parts } as QueryFilter<T>)
    .setOptions({ ...ANY_FIELD, ...collationOf(sort) })
    .sort(Object.fromEntries([...fields, '_id'].map((field) => [field, direction])));
  return limit ? find.limit(limit + 1) : find;
}

const orderOf = (sort: string) => sort.replace('-', '') as Order;
const isByTime = (sort: string) => /^-?(created|held)At$/.test(sort);
const collationOf = (sort: string) => (isByTime(sort) ? {} : { collation: NAME_COLLATION });

export async function totalOf<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { total, sort }: PageQuery,
): Promise<{ total?: number }> {
  if (total !== 'true') return {};
  return { total: await model.countDocuments(filter).setOptions({ ...ANY_FIELD, ...collationOf(sort) }) };
}

/** `last` is the last record of the page. */
export function nextCursor(
  { more, last }: { more: boolean; last: unknown },
  { sort }: PageQuery,
): string | null {
  if (!more || !last) return null;
  const record = last as { _id: Types.ObjectId } & Record<string, Date | string>;
  const values = ORDERS[orderOf(sort)].map((field) => record[field] as Date | string);
  return writeCursor({ sort, values, id: record._id });
}

/** So few records are read at once; of more, others are answered between so many. */
const FEW = 50;

interface Taken<T> {
  data: T[];
  last: T | undefined;
  more: boolean;
}

async function take<T>(find: Query<unknown, T>, limit: number, { room }: PageShape<T>): Promise<Taken<T>> {
  if (!room && limit <= FEW) {
    const found = await find.lean<T[]>();
    const data = found.slice(0, limit);
    return { data, last: data.at(-1), more: found.length > data.length };
  }
  const taken: Taken<T> = { data: [], last: undefined, more: false };
  for await (const record of find.lean<T[]>().cursor(room ? {} : { batchSize: FEW }) as AsyncIterable<T>) {
    const out = taken.data.length >= limit ? null : room ? room(record) : record;
    if (out === null) return { ...taken, more: true };
    taken.data.push(out);
    taken.last = record;
  }
  return taken;
}

/** Said without an `$or`, for which the database might merge several indexes and sort in memory. */
function beyond({ values, id }: Position, fields: readonly string[], down: boolean): object {
  const [first = ''] = fields;
  // Alike in all before one of them, and at that one not beyond the position.
  const within = [...fields, '_id'].flatMap((field, at) => {
    if (at === 0) return [];
    const alike = fields.slice(0, at).map((one, i) => [one, values[i]]);
    const last = field === '_id';
    const not = { [`${down ? '$gt' : '$lt'}${last ? 'e' : ''}`]: last ? id : values[at] };
    return [{ ...Object.fromEntries(alike), [field]: not }];
  });
  return { [first]: { [down ? '$lte' : '$gte']: values[0] }, $nor: within };
}

function writeCursor({ sort, values, id }: Position): string {
  const plain = values.map((value) => (value instanceof Date ? value.getTime() : value));
  return Buffer.from(JSON.stringify([sort, ...plain, id.toHexString()])).toString('base64url');
}

const ID = z.string().regex(/^[0-9a-f]{24}$/);
const Cursor = z.array(z.union([z.string(), z.int()])).max(4);

function readCursor(text: string, sort: string): Position {
  try {
    const [made, ...rest] = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    const id = ID.parse(rest.pop());
    const wanted = isByTime(sort) ? 'number' : 'string';
    const known = rest.length === ORDERS[orderOf(sort)].length && rest.every((one) => typeof one === wanted);
    if (made !== sort || !known) throw new Error('a cursor of another list');
    const values = rest.map((value) => (typeof value === 'number' ? new Date(value) : value));
    if (values.some((value) => value instanceof Date && Number.isNaN(value.getTime())))
      throw new Error('not a time');
    return { sort, values, id: new mongoose.Types.ObjectId(id) };
  } catch {
    throw problem('INVALID_QUERY', {
      errors: [fieldError('cursor', 'NOT_CURSOR')],
    });
  }
}
