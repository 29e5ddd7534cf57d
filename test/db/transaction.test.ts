/** A write is not stored after its sender was told to retry. */
import mongoose from 'mongoose';
import { inTransaction } from '../../src/platform/db/transaction.ts';
import { withinDeadline } from '../../src/questionnaires/validator/within-deadline.ts';
import { worldOfFile } from '../people.ts';

worldOfFile();

const lines = () => mongoose.connection.collection('transaction_test');
const within = (ms: number) => performance.now() + ms;
const write = (deadline?: number) =>
  inTransaction(async (session) => {
    await lines().insertOne({ by: 'test' }, { session });
  }, deadline);

test('commits nothing after the request’s time is over', async () => {
  await mongoose.connection.createCollection('transaction_test');
  await expect(write(within(0))).rejects.toMatchObject({ name: 'UNAVAILABLE' });
  expect(await lines().countDocuments()).toBe(0);
  await write(within(60_000));
  await write();
  expect(await lines().countDocuments()).toBe(2);
});

test('does not retry after the request’s time is over', async () => {
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
  const late = inTransaction(async () => {
    tries += 1;
    throw conflict;
  }, within(0));
  await expect(late).rejects.toBe(conflict);
  expect(tries).toBe(1);
});

test('work that exceeds the request’s time ends with 503, but a command waits for it', async () => {
  const endless = new Promise<never>(() => {});
  await expect(withinDeadline(endless, within(3_050))).rejects.toMatchObject({ name: 'UNAVAILABLE' });
  const work = () => new Promise<string>((resolve) => setTimeout(() => resolve('done'), 20));
  expect(await withinDeadline(work(), undefined)).toBe('done');
  expect(await withinDeadline(work(), within(60_000))).toBe('done');
});
