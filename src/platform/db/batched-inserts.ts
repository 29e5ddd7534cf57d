/**
 * Batches the inserts of one turn of the event loop into one command: for records outside of transactions, in each of which
 * they would be one command more.
 */
import type { Model } from 'mongoose';

interface Waiting<T> {
  record: T;
  done: () => void;
  failed: (error: unknown) => void;
}

/** If it fails, each of the batch may be stored or not. */
export function createBatchedInsert<T>(
  collection: () => Model<T>['collection'],
): (record: T) => Promise<void> {
  let waiting: Waiting<T>[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      const records = batch.map(({ record }) => record);
      await collection().insertMany(records as never[], { ordered: false, writeConcern: { w: 'majority' } });
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  };
  return (record) =>
    new Promise((done, failed) => {
      if (waiting.length === 0) setImmediate(() => void flush());
      waiting.push({ record, done, failed });
    });
}
