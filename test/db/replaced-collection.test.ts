/** What a request meets whose collection a migration replaces, or drops, in the middle: it may be asked again. */
import mongoose from 'mongoose';
import { asProblem } from '../../src/http/errors.ts';
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
const refusalOf = async (asked: Promise<unknown>) => {
  const error: unknown = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  return { code: (error as { code?: number } | null)?.code, name: asProblem(error).name };
};

beforeEach(async () => {
  await people().deleteMany({});
  await people().insertMany(some());
});

test('a list that is read on', async () => {
  const reading = people().find().batchSize(2);
  await reading.next();
  await replace();
  expect(await refusalOf(reading.toArray())).toEqual({ code: 175, name: 'UNAVAILABLE' });
});

test('a read by an index that what came in its place lacks, until it is made', async () => {
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
  [26, 'NamespaceNotFound', 'one that looks up another collection, in the moment in which that goes'],
  [246, 'SnapshotUnavailable', 'one of an instant at which it was just being replaced'],
])('%i %s: %s', (code, codeName) => {
  const error = new MongoServerError({ message: 'in the words of the database', code, codeName });
  expect(asProblem(error).name).toBe('UNAVAILABLE');
});
