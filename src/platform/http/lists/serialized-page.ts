/** Pages that are requested often or may be long: each record is serialized as it is read. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Model, QueryFilter, Types } from 'mongoose';
import type { Serialize } from './declared-fields.ts';
import { CHUNK_BYTES, jsonText } from './json-stream.ts';
import type { PageQuery } from './list-schema.ts';
import { countTotal, findPage, nextCursor } from './page.ts';

export interface SerializedPageOptions<T> {
  /** Picks the fields that are sent. */
  serialize: Serialize;
  /** Which fields are read; all by default. */
  projection?: Record<string, 0 | 1>;
  /** Adds data that is stored elsewhere and may be large; returns the record itself if there is none. */
  complete?: (record: T) => Promise<T>;
  /** For large records: the page ends before its JSON gets larger, but has at least one record. */
  maxBytes?: number;
}

/** JSON that is ready to send. */
export class SerializedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Records per batch from the database. */
const BATCH_SIZE = 500;
/** For large records: one more than the usual page. */
const LARGE_BATCH_SIZE = 51;

/** Like `page` in page.ts, but returns JSON. */
export async function serializedPage<T extends { _id: Types.ObjectId }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  query: PageQuery,
  { serialize, projection, complete, maxBytes = Number.POSITIVE_INFINITY }: SerializedPageOptions<T>,
): Promise<SerializedJson> {
  const find = findPage(model, filter, query);
  find.cast(model as never);
  const total = countTotal(model, filter, query);
  total.catch(() => {}); // Awaited below.
  const { limit = Number.POSITIVE_INFINITY } = query;
  const texts: string[] = [];
  let last: T | undefined;
  let more = false;
  let left = maxBytes;
  let atOnce = 0;
  // The driver's own cursor, because mongoose's takes twice as long per record.
  const records = model.collection.find<T>(find.getFilter() as never, {
    ...(find.getOptions() as object),
    projection: projection ?? {},
    batchSize: maxBytes < Number.POSITIVE_INFINITY ? LARGE_BATCH_SIZE : BATCH_SIZE,
  });
  for await (const record of records) {
    const whole = complete ? await complete(record) : record;
    const text = whole === record ? JSON.stringify(serialize(record)) : await jsonText(whole, serialize);
    if (maxBytes < Number.POSITIVE_INFINITY) left -= Buffer.byteLength(text) + 1;
    more = texts.length === limit || (left < 0 && texts.length > 0);
    if (more) break;
    texts.push(text);
    last = record;
    atOnce += text.length;
    if (atOnce < CHUNK_BYTES) continue;
    atOnce = 0;
    await turn();
  }
  const end = JSON.stringify({ nextCursor: nextCursor({ more, last }, query), ...(await total) });
  return new SerializedJson(`{"data":[${texts.join(',')}],${end.slice(1)}`);
}
