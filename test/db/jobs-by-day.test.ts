/** What an earlier version stored about jobs. */
import mongoose from 'mongoose';
import { dropJobsMigration } from '../../src/platform/db/migrations/2026-11-28-jobs-by-day.ts';
import { closeDatabase, openDatabase } from '../database.ts';

beforeAll(openDatabase);
afterAll(closeDatabase);

test('jobs of the earlier library are deleted with their indexes; a database without any is no error', async () => {
  const db = mongoose.connection.db as mongoose.mongo.Db;
  const jobs = db.collection('jobs');
  await jobs.insertOne({ name: 'analysis at night', repeatInterval: '0 3 * * *' });
  await jobs.createIndex({ 'data.run': 1 }, { name: 'run_once' });
  await dropJobsMigration.run({ db, progress: () => {} });
  await dropJobsMigration.run({ db, progress: () => {} });
  expect(await jobs.countDocuments()).toBe(0);
  expect((await db.listCollections({ name: 'jobs' }).toArray()).length).toBe(0);
});
