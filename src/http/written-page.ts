/** Pages that are asked for often or may be long: each record is made into JSON once, as it is read. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Model, QueryFilter, Types } from 'mongoose';
import { PIECE_BYTES, textOf } from './large.ts';
import type { PageQuery } from './list.ts';
import { nextCursor, search, totalOf } from './page.ts';
import type { Cut } from './reply.ts';

export interface WrittenShape<T> {
  /** What of a record goes out. */
  cut: Cut;
  /** Which fields are read; without this all. */
  projection?: Record<string, 0 | 1>;
  /** Adds what of a record is kept elsewhere, which may be large; the record itself where there is nothing. */
  complete?: (record: T) => Promise<T>;
  /** Of JSON, where records may be large: the page ends before it has more, after one record at the least. */
  bytes?: number;
}

/** JSON that is ready to be sent. */
export class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** So many records at the most are in memory as the database sent them. */
const AT_ONCE = 500;
/** Of records that may be large each: a page as it is usually asked for. */
const LARGE_AT_ONCE = 51;

/** As `page` of page.ts, written. */
export async function writtenPage<T extends { _id: Types.ObjectId }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  query: PageQuery,
  { cut, projection, complete, bytes = Number.POSITIVE_INFINITY }: WrittenShape<T>,
): Promise<Written> {
  const find = search(model, filter, query);
  find.cast(model as never);
  const total = totalOf(model, filter, query);
  total.catch(() => {}); // It is waited for below.
  const { limit = Number.POSITIVE_INFINITY } = query;
  const texts: string[] = [];
  let last: T | undefined;
  let more = false;
  let left = bytes;
  let atOnce = 0;
  // The driver's own cursor: mongoose's costs as much again for each record.
  const records = model.collection.find<T>(find.getFilter() as never, {
    ...(find.getOptions() as object),
    projection: projection ?? {},
    batchSize: bytes < Number.POSITIVE_INFINITY ? LARGE_AT_ONCE : AT_ONCE,
  });
  for await (const record of records) {
    const whole = complete ? await complete(record) : record;
    const text = whole === record ? JSON.stringify(cut(record)) : await textOf(whole, cut);
    if (bytes < Number.POSITIVE_INFINITY) left -= Buffer.byteLength(text) + 1;
    more = texts.length === limit || (left < 0 && texts.length > 0);
    if (more) break;
    texts.push(text);
    last = record;
    atOnce += text.length;
    if (atOnce < PIECE_BYTES) continue;
    atOnce = 0;
    await turn();
  }
  const end = JSON.stringify({ nextCursor: nextCursor({ more, last }, query), ...(await total) });
  return new Written(`{"data":[${texts.join(',')}],${end.slice(1)}`);
}
