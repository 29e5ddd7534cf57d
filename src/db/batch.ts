/**
 * Reads that are asked for in one turn of the event loop go to the database together. A busy service then pays for
 * one round trip where it would pay for many, and a quiet one for nothing. A read never starts before it was asked
 * for, so an answer is as fresh as one that was fetched alone; nothing is kept.
 */
import type { Document, Model, Types } from 'mongoose';

interface Waiting<K, V> {
  key: K;
  done: (value: V | undefined) => void;
  failed: (error: unknown) => void;
}

/** More than this many keys go in several queries. */
const MOST = 200;

/** `read` answers what it found, by the text of its key. Who asked for the same share the answer: no one changes it. */
export function inBatches<K, V>(
  read: (keys: K[]) => Promise<Map<string, V>>,
): (key: K) => Promise<V | undefined> {
  let waiting: Waiting<K, V>[] = [];

  const send = async (batch: Waiting<K, V>[]) => {
    try {
      const found = await read([...new Map(batch.map((one) => [String(one.key), one.key])).values()]);
      for (const one of batch) one.done(found.get(String(one.key)));
    } catch (error) {
      for (const one of batch) one.failed(error);
    }
  };
  const flush = () => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += MOST) void send(all.slice(from, from + MOST));
  };
  return (key) =>
    new Promise((done, failed) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ key, done, failed });
    });
}

type ById = (id: Types.ObjectId) => Promise<unknown>;
const byId = new Map<string, ById>();

/** The record with this id, deleted or not. */
export async function recordOf<T>(model: Model<T>, id: Types.ObjectId): Promise<T | undefined> {
  let read = byId.get(model.modelName);
  if (!read) {
    const { collection } = model;
    read = inBatches<Types.ObjectId, Document>(async (ids) => {
      const found = await collection.find({ _id: { $in: ids } }, { batchSize: MOST + 1 }).toArray();
      return new Map(found.map((one) => [String(one._id), one as unknown as Document]));
    });
    byId.set(model.modelName, read);
  }
  const found = await read(id);
  return found === undefined ? undefined : ({ ...found } as T);
}
