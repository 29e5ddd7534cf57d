/** All records of a collection are visited as bytes, batch after batch. */
import mongoose from 'mongoose';
import { forEachRecordInCollection } from '../../src/platform/db/each-record.ts';
import { decodeWholeRecord } from '../../src/platform/lib/bson/elements.ts';
import { closeDatabase, openDatabase } from '../database.ts';

beforeAll(openDatabase);
afterAll(closeDatabase);

const people = () => mongoose.connection.collection('people');
const openCursors = async (): Promise<number> => {
  const { metrics } = await mongoose.connection.getClient().db().admin().serverStatus();
  return Number(metrics.cursor.open.total);
};
const ages = async (batchSize: number, wait: () => Promise<void> | void): Promise<unknown[]> => {
  const found: unknown[] = [];
  await forEachRecordInCollection(people(), { projection: { age: 1 }, batchSize }, (bytes, from) => {
    const { _id, ...one } = decodeWholeRecord<Record<string, unknown>>(
      bytes.subarray(from, from + bytes.readInt32LE(from)),
    );
    found.push(one);
    return wait();
  });
  return found;
};

beforeEach(async () => {
  await people().deleteMany({});
});

test.each([1, 2, 5, 7, 100])(
  'visits every record once, in the order stored, in batches of %i',
  async (batchSize) => {
    expect(await ages(batchSize, () => {})).toEqual([]);
    const all = Array.from({ length: 10 }, (_, age) => ({ age }));
    await people().insertMany(all.map((one) => ({ ...one, name: 'Ana' })));
    expect(await ages(batchSize, () => {})).toEqual(all);
    expect(await ages(batchSize, async () => await Promise.resolve())).toEqual(all);
  },
);

test('closes the cursor if a visit fails', async () => {
  await people().insertMany(Array.from({ length: 10 }, (_, age) => ({ age })));
  const before = await openCursors();
  const failing = ages(2, () => {
    throw new Error('unreadable');
  });
  await expect(failing).rejects.toThrow('unreadable');
  expect(await openCursors()).toBe(before);
});
