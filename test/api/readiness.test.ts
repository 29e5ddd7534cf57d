/** GET /api/health/ready: 503 says which part is missing. */
import mongoose from 'mongoose';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { worldOfFile } from '../people.ts';

const world = worldOfFile();

const ready = async (status: number, app = world.app) =>
  (await supertest(app).get('/api/health/ready').expect(status)).body;
const migrations = () => mongoose.connection.collection<{ _id: string }>('migrations');

test('a service with all its parts available is ready', async () => {
  expect(await ready(200)).toEqual({ status: 'ok' });
});

test.each([
  ['lacks a migration', async () => void (await migrations().deleteOne({}))],
  ['was used by a newer version', async () => void (await migrations().insertOne({ _id: '2099-01-01-new' }))],
])('a database that %s is not ready', async (_what, change) => {
  const before = await migrations().find().toArray();
  await change();
  expect(await ready(503)).toMatchObject({
    code: 'UNAVAILABLE',
    parts: { database: true, migrations: false, disk: true },
  });
  await migrations().deleteMany({});
  await migrations().insertMany(before);
  await ready(200);
});

test('a service with a full disk is not ready', async () => {
  // A file system without free space.
  const full = { ...world.deps.config, mongoUri: undefined, dataDir: '/proc' };
  const app = createApp({ ...world.deps, config: full });
  expect((await ready(503, app)).parts).toEqual({ database: true, migrations: true, disk: false });
  const elsewhere = { ...full, mongoUri: 'mongodb://db.example.org/?replicaSet=rs0' };
  await ready(200, createApp({ ...world.deps, config: elsewhere }));
});

test('a service without its database is not ready', async () => {
  const client = mongoose.connection.getClient();
  Object.defineProperty(mongoose.connection, 'readyState', { value: 0, configurable: true, writable: true });
  try {
    expect((await ready(503)).parts).toEqual({ database: false, migrations: true, disk: true });
  } finally {
    // Restores the property of the class.
    delete (mongoose.connection as { readyState?: number }).readyState;
    expect(mongoose.connection.getClient()).toBe(client);
  }
});
