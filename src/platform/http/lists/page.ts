/** One page of a collection in a stable order. */
import mongoose, { type Model, type Query, type QueryFilter, type Types } from 'mongoose';
import { z } from 'zod';
import { CursorId, readCursor, writeCursor } from './cursor.ts';
import type { PageQuery } from './list-schema.ts';

/** Fields that each `sort` orders by, before the id. */
const SORT_ORDERS = {
  createdAt: ['createdAt'],
  heldAt: ['heldAt'],
  name: ['name'],
  firstName: ['firstName', 'lastName'],
  oldestUnsentAt: ['pendingSince'],
} as const;
type Order = keyof typeof SORT_ORDERS;

interface Position {
  values: (Date | string)[];
  id: Types.ObjectId;
}

export interface RecordPage<T> {
  data: T[];
  nextCursor: string | null;
  total?: number;
}

/** Names are compared ignoring case. */
export const NAME_COLLATION = { locale: 'en', strength: 2 } as const;

/** A grant may have a condition on a field that these records don't have: it must match nothing instead of failing. */
export const ANY_FIELD_QUERY_OPTIONS = { strictQuery: false } as const;

/** Size of a page's JSON apart from its records: the cursor and the total. */
const ENVELOPE_BYTES = 1_000;
/** Maximum size of the JSON of a page's records. A page ends before it gets larger, but has at least one record. */
export const MAX_LIST_PAGE_BYTES = 2 * 1024 * 1024 - ENVELOPE_BYTES;

/** Size of a record's JSON in the reply. */
type BytesOf<T> = (record: T) => number;

/**
 * One page of the records that match `filter`, which must include the abilities' query (see guard.ts). `bytesOf` is for
 * large records that are transformed before they are sent; otherwise use `readSerializedPage`.
 */
export async function loadRecordPage<T extends { _id: Types.ObjectId }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  query: PageQuery,
  bytesOf?: BytesOf<T>,
): Promise<RecordPage<T>> {
  const [records, total] = await Promise.all([
    takePage(findPage(model, filter, query), query.limit ?? Number.POSITIVE_INFINITY, bytesOf),
    countListTotal(model, filter, query),
  ]);
  const { data, more } = records;
  return { data, nextCursor: nextCursor({ more, last: data.at(-1) }, query), ...total };
}

/** Finds one record more than fits on the page, to know whether there is another page. */
export function findPage<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { sort, cursor, limit }: PageQuery,
): Query<unknown, T> {
  const fields = SORT_ORDERS[orderOf(sort)];
  const down = sort.startsWith('-');
  const direction = down ? -1 : 1;
  const parts: object[] = [filter];
  if (cursor !== undefined) parts.push(afterPosition(readPosition(cursor, sort), fields, down));
  const find = model
    .find({ $and: parts } as QueryFilter<T>)
    .setOptions({ ...ANY_FIELD_QUERY_OPTIONS, ...collationOf(sort) })
    .sort(Object.fromEntries([...fields, '_id'].map((field) => [field, direction])));
  return limit ? find.limit(limit + 1) : find;
}

const orderOf = (sort: string) => sort.replace('-', '') as Order;
const sortsByTime = (sort: string) => /^-?(created|held|oldestUnsent)At$/.test(sort);
const collationOf = (sort: string) => (sortsByTime(sort) ? {} : { collation: NAME_COLLATION });

export async function countListTotal<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { total, sort }: PageQuery,
): Promise<{ total?: number }> {
  if (total !== 'true') return {};
  return {
    total: await model
      .countDocuments(filter)
      .setOptions({ ...ANY_FIELD_QUERY_OPTIONS, ...collationOf(sort) }),
  };
}

/** `last` is the last record of the page. */
export function nextCursor(
  { more, last }: { more: boolean; last: unknown },
  { sort }: PageQuery,
): string | null {
  if (!more || !last) return null;
  const record = last as { _id: Types.ObjectId } & Record<string, Date | string>;
  const values = SORT_ORDERS[orderOf(sort)].map((field) => record[field]);
  const plain = values.map((value) => (value instanceof Date ? value.getTime() : value));
  return writeCursor([sort, ...plain, record._id.toHexString()]);
}

/** Records per batch; other requests get a turn between batches. */
const BATCH_SIZE = 50;

interface PageRecords<T> {
  data: T[];
  more: boolean;
}

async function takePage<T>(
  find: Query<unknown, T>,
  limit: number,
  bytesOf?: BytesOf<T>,
): Promise<PageRecords<T>> {
  if (!bytesOf && limit <= BATCH_SIZE) {
    const records = await find.lean<T[]>();
    const data = records.slice(0, limit);
    return { data, more: records.length > data.length };
  }
  const data: T[] = [];
  let remainingBytes = MAX_LIST_PAGE_BYTES;
  for await (const record of find
    .lean<T[]>()
    .cursor(bytesOf ? {} : { batchSize: BATCH_SIZE }) as AsyncIterable<T>) {
    remainingBytes -= bytesOf?.(record) ?? 0;
    if (data.length >= limit || (remainingBytes < 0 && data.length > 0)) return { data, more: true };
    data.push(record);
  }
  return { data, more: false };
}

/** Avoids `$or`, for which the database might merge several indexes and sort in memory. */
function afterPosition({ values, id }: Position, fields: readonly string[], down: boolean): object {
  const [first = ''] = fields;
  // Excludes records equal in all fields before this one and not after the position in it.
  const within = [...fields, '_id'].flatMap((field, at) => {
    if (at === 0) return [];
    const alike = fields.slice(0, at).map((one, i) => [one, values[i]]);
    const last = field === '_id';
    const not = { [`${down ? '$gt' : '$lt'}${last ? 'e' : ''}`]: last ? id : values[at] };
    return [{ ...Object.fromEntries(alike), [field]: not }];
  });
  return { [first]: { [down ? '$lte' : '$gte']: values[0] }, $nor: within };
}

const Time = z
  .int()
  .transform((at) => new Date(at))
  .refine((date) => !Number.isNaN(date.getTime()));

function readPosition(text: string, sort: string): Position {
  const value = sortsByTime(sort) ? Time : z.string();
  const values = SORT_ORDERS[orderOf(sort)].map(() => value);
  const [, ...rest] = readCursor(text, z.tuple([z.literal(sort), ...values, CursorId]));
  const id = new mongoose.Types.ObjectId(rest.pop() as string);
  return { values: rest, id };
}
