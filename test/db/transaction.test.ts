/** A write whose sender was told to come again is not stored behind their back. */
import mongoose from 'mongoose';
import { inTransaction } from '../../src/db/transaction.ts';
import { endingAt } from '../../src/lib/time-left.ts';
import { inTime } from '../../src/questionnaires/in-time.ts';
import { startWorld, type World } from '../people.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const lines = () => mongoose.connection.collection('transaction_test');
const write = () =>
  inTransaction(async (session) => {
    await lines().insertOne({ by: 'test' }, { session });
  });
const until = <T>(ms: number, work: () => Promise<T>) => endingAt(performance.now() + ms, work);

test('commits nothing when the time of the request is over', async () => {
  await mongoose.connection.createCollection('transaction_test');
  await expect(until(0, write)).rejects.toMatchObject({ name: 'UNAVAILABLE' });
  expect(await lines().countDocuments()).toBe(0);
  await until(60_000, write);
  await write();
  expect(await lines().countDocuments()).toBe(2);
});

test('begins no other try when the time of the request is over', async () => {
  let tries = 0;
  const conflict = new mongoose.mongo.MongoServerError({ message: 'conflict', code: 112 });
  conflict.addErrorLabel('TransientTransactionError');
  const refused = inTransaction(async () => {
    tries += 1;
    if (tries < 3) throw conflict;
  });
  await refused;
  expect(tries).toBe(3);
  tries = 0;
  const late = until(0, () =>
    inTransaction(async () => {
      tries += 1;
      throw conflict;
    }),
  );
  await expect(late).rejects.toBe(conflict);
  expect(tries).toBe(1);
});

test('work that takes longer than the request has time ends with 503, and a command waits for it', async () => {
  const endless = new Promise<never>(() => {});
  await expect(until(3_050, () => inTime(endless))).rejects.toMatchObject({ name: 'UNAVAILABLE' });
  const work = () => new Promise<string>((done) => setTimeout(() => done('done'), 20));
  expect(await inTime(work())).toBe('done');
  expect(await until(60_000, () => inTime(work()))).toBe('done');
});
