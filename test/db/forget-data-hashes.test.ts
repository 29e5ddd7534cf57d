/** What an earlier version stored about the data of a run. */
import mongoose from 'mongoose';
import { forgetDataHashesMigration } from '../../src/platform/db/migrations/2026-11-28-forget-data-hashes.ts';
import { closeDatabase, openDatabase } from '../database.ts';

beforeAll(openDatabase);
afterAll(closeDatabase);

test('unkeyed hashes of runs are removed, and the rest of a run stays', async () => {
  const db = mongoose.connection.db as mongoose.mongo.Db;
  const runs = db.collection('analysisruns');
  const finishedRun = { state: 'DONE', result: { dataHash: 'a1b2', seconds: 3 } };
  const waiting = { state: 'WAITING', result: null };
  await runs.insertMany([finishedRun, waiting]);
  await forgetDataHashesMigration.run({ db, progress: () => {} });
  expect(await runs.find({}, { projection: { _id: 0 }, sort: { state: 1 } }).toArray()).toEqual([
    { state: 'DONE', result: { dataHash: '', seconds: 3 } },
    { state: 'WAITING', result: null },
  ]);
});
