/**
 * Reads the bytes of all records of a collection, in whole batches. The driver's own cursor creates an array for each
 * field of each record, even with its option `raw`: 300,000 coupons took 0.8 s of processor time instead of 0.3.
 */
import mongoose from 'mongoose';
import {
  BSON_TYPE,
  type BsonFieldPosition,
  bsonElementsEnd,
  findBsonField,
  valueOffsetAfterName,
} from '../lib/bson/elements.ts';

interface RecordsToRead {
  projection: Record<string, 1>;
  /** Records per batch. */
  batchSize: number;
}

/** `bytes` is the whole batch; the record begins at `from`. Returns a promise only if reading must wait for it. */
type Visit = (bytes: Buffer, from: number) => Promise<void> | void;

export async function forEachRecordInCollection(
  { collectionName: name }: mongoose.Collection,
  { projection, batchSize }: RecordsToRead,
  visit: Visit,
): Promise<void> {
  const { connection } = mongoose;
  const database = connection.getClient().db(connection.name);
  await connection.getClient().withSession(async (session) => {
    const request = async (command: object) =>
      (await database.command(command, { raw: true, session })).cursor as Buffer;
    let cursor = await request({ find: name, projection, sort: { $natural: 1 }, batchSize });
    for (;;) {
      const { at } = findBsonField(cursor, 'id') as BsonFieldPosition;
      const id = cursor.readBigInt64LE(at);
      try {
        await visitBatch(cursor, visit);
      } catch (error) {
        if (id !== 0n) await request({ killCursors: name, cursors: [id] }).catch(() => undefined);
        throw error;
      }
      if (id === 0n) return;
      cursor = await request({ getMore: id, collection: name, batchSize });
    }
  });
}

async function visitBatch(cursor: Buffer, visit: Visit): Promise<void> {
  const batch = findBsonField(cursor, 'nextBatch') ?? findBsonField(cursor, 'firstBatch');
  if (batch?.type !== BSON_TYPE.array) throw new Error('the database sent no batch');
  const end = bsonElementsEnd(cursor, batch.at);
  for (let at = batch.at + 4; at < end; ) {
    const record = valueOffsetAfterName(cursor, at);
    const waiting = visit(cursor, record);
    if (waiting) await waiting;
    at = bsonElementsEnd(cursor, record) + 1;
  }
}
