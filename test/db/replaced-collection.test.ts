/** A request during whose work a migration replaces or drops the collection can be retried. */
import mongoose from 'mongoose';
import { asProblem } from '../../src/platform/http/problems/errors.ts';
import { closeDatabase, openDatabase } from '../database.ts';

const { MongoServerError } = mongoose.mongo;

beforeAll(openDatabase);
afterAll(closeDatabase);

const people = () => mongoose.connection.collection('people');
const some = () => Array.from({ length: 20 }, (_, age) => ({ age }));
const replace = async () => {
  await mongoose.connection.collection('people_new').insertMany(some());
  await mongoose.connection.collection('people_new').rename('people', { dropTarget: true });
};
const refusalOf = async (request: Promise<unknown>) => {
  const error: unknown = await request.then(
    () => null,
    (error: unknown) => error,
  );
  return { code: (error as { code?: number } | null)?.code, name: asProblem(error).name };
};

beforeEach(async () => {
  await people().deleteMany({});
  await people().insertMany(some());
});

test('reading on from a cursor of a replaced collection is UNAVAILABLE', async () => {
  const reading = people().find().batchSize(2);
  await reading.next();
  await replace();
  expect(await refusalOf(reading.toArray())).toEqual({ code: 175, name: 'UNAVAILABLE' });
});

test('a read by an index missing from the replacing collection is UNAVAILABLE', async () => {
  await people().createIndex({ age: 1 });
  const read = () => people().find().hint({ age: 1 }).toArray();
  expect(await read()).toHaveLength(20);
  await replace();
  expect(await refusalOf(read())).toEqual({ code: 2, name: 'UNAVAILABLE' });
  const other = people()
    .find({ age: { $nonsense: 1 } })
    .toArray();
  expect(await refusalOf(other)).toEqual({ code: 2, name: 'INTERNAL' });
});

test.each([
  [26, 'NamespaceNotFound', 'a lookup in a collection being replaced'],
  [246, 'SnapshotUnavailable', 'a snapshot at the time of the replacement'],
])('%i %s: %s', (code, codeName) => {
  const error = new MongoServerError({ message: 'in the words of the database', code, codeName });
  expect(asProblem(error).name).toBe('UNAVAILABLE');
});
