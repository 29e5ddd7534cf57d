/** Pages that are requested often or may be long: each record is serialized while it is read. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Model, QueryFilter, Types } from 'mongoose';
import { decodeWholeRecord, NeedsMongoDriver } from '../../lib/bson/elements.ts';
import { JsonBuffer } from '../../lib/bson/json-bytes.ts';
import { JSON_CHUNK_BYTES, jsonText } from './json-stream.ts';
import type { PageQuery } from './list-schema.ts';
import { countListTotal, findPage, nextCursor } from './page.ts';
import type { RecordReplySerializer } from './stored-fields.ts';

export interface SerializedPageOptions<T> {
  /** The fields to send. */
  fields: RecordReplySerializer;
  /** The fields to read; all by default. */
  projection?: Record<string, 0 | 1>;
  /** Adds data that is stored elsewhere and may be large; returns the record itself if there is none. */
  complete?: (record: T) => Promise<T>;
  /** Whether `complete` has nothing to add to this record. */
  isComplete?: (record: Buffer) => boolean;
  /** For large records: the page ends before its JSON gets larger, but has at least one record. */
  maxBytes?: number;
}

/** JSON that is ready to send. */
export class SerializedJson {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** Records per batch from the database. */
const BATCH_SIZE = 500;
/** For large records: one more than the default page size. */
const LARGE_BATCH_SIZE = 51;

/** Like `loadRecordPage` in page.ts, but returns JSON. */
export async function readSerializedPage<T extends { _id: Types.ObjectId }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  query: PageQuery,
  { projection, maxBytes = Number.POSITIVE_INFINITY, ...options }: SerializedPageOptions<T>,
): Promise<SerializedJson> {
  const find = findPage(model, filter, query);
  find.cast(model as never);
  const total = countListTotal(model, filter, query);
  total.catch(() => {}); // Awaited below.
  const { limit = Number.POSITIVE_INFINITY } = query;
  const out = new JsonBuffer();
  out.ascii('{"data":[');
  let last: Buffer | undefined;
  let count = 0;
  let more = false;
  let sinceTurn = 0;
  // The driver's own cursor, because mongoose's takes twice as long per record.
  const records = model.collection.find(find.getFilter() as never, {
    ...(find.getOptions() as object),
    projection: projection ?? {},
    batchSize: maxBytes < Number.POSITIVE_INFINITY ? LARGE_BATCH_SIZE : BATCH_SIZE,
    raw: true,
  });
  for await (const record of records as AsyncIterable<unknown> as AsyncIterable<Buffer>) {
    more = count === limit;
    if (more) break;
    const before = out.length;
    if (count > 0) out.comma();
    await writeRecord(out, record, options);
    more = out.length > maxBytes && count > 0;
    if (more) {
      out.length = before;
      break;
    }
    count += 1;
    last = record;
    if (out.length - sinceTurn < JSON_CHUNK_BYTES) continue;
    sinceTurn = out.length;
    await turn();
  }
  const position = last && decodeWholeRecord(last);
  const end = JSON.stringify({ nextCursor: nextCursor({ more, last: position }, query), ...(await total) });
  out.copy(Buffer.from(`],${end.slice(1)}`));
  return new SerializedJson(out.bytes);
}

async function writeRecord<T>(
  out: JsonBuffer,
  record: Buffer,
  { fields, complete, isComplete = () => complete === undefined }: SerializedPageOptions<T>,
): Promise<void> {
  const before = out.length;
  if (isComplete(record)) {
    try {
      fields.write(out, record);
      return;
    } catch (error) {
      if (!(error instanceof NeedsMongoDriver)) throw error;
      out.length = before;
    }
  }
  const read = decodeWholeRecord<T>(record);
  const whole = complete ? await complete(read) : read;
  const { serialize } = fields;
  const text = whole === read ? JSON.stringify(serialize(read)) : await jsonText(whole as object, serialize);
  out.copy(Buffer.from(text));
}
