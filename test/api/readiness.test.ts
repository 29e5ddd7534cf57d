/** GET /api/health/ready: 503 says which part is missing. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import mongoose from 'mongoose';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { recordBackup } from '../../src/platform/db/last-backup.ts';
import { worldOfFile } from '../people.ts';

const world = worldOfFile();

const ready = async (status: number, app = world.app) =>
  (await supertest(app).get('/api/health/ready').expect(status)).body;
const migrations = () => mongoose.connection.collection<{ _id: string }>('migrations');

test('a service with all its parts available is ready', async () => {
  // Whether clients were slow in the last five minutes is of the process, not of this test.
  const { warnings: _warnings, ...answer } = await ready(200);
  expect(answer).toEqual({ status: 'ok' });
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

test('a database without one of its unique indexes is not ready', async () => {
  const codes = mongoose.connection.collection('referralcodes');
  const index = (await codes.indexes()).find(({ unique }) => unique);
  await codes.dropIndex(String(index?.name));
  // A process that has found them there looks again only after a minute.
  const app = createApp(world.deps);
  expect((await ready(503, app)).parts).toEqual({ database: true, migrations: false, disk: true });
  const { key, name, v: _version, ...options } = index ?? { key: {} };
  await codes.createIndex(key, { ...options, name: String(name) });
  await ready(200, app);
});

test('a service with a full disk is not ready', async () => {
  // A file system without free space.
  const full = { ...world.deps.config, mongoUri: undefined, dataDir: '/proc' };
  const app = createApp({ ...world.deps, config: full });
  expect((await ready(503, app)).parts).toEqual({ database: true, migrations: true, disk: false });
  const elsewhere = { ...full, mongoUri: 'mongodb://db.example.org/?replicaSet=rs0' };
  await ready(200, createApp({ ...world.deps, config: elsewhere }));
});

test('in production a ready service warns of an old backup and a disk with little room', async () => {
  const config = { ...world.deps.config, production: true, publicUrl: 'http://localhost' };
  const warnings = async (more: object = {}) =>
    (await ready(200, createApp({ ...world.deps, config: { ...config, ...more } }))).warnings;
  const hours = (count: number) => new Date(world.clock.now().getTime() - count * 3_600_000);
  const mongoUri = 'mongodb://db.example.org/?replicaSet=rs0';
  await recordBackup(hours(25), 1);
  expect(await warnings()).not.toContain('BACKUP_OLD');
  await recordBackup(hours(27), 1);
  expect(await warnings()).toContain('BACKUP_OLD');
  // A file system without free space.
  expect(await warnings({ mongoUri, dataDir: '/proc' })).toContain('DISK_LOW');
});

test('a service warns two weeks before its certificate ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const make = (days: string) =>
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', days].concat([
        ...['-keyout', key, '-out', cert],
      ]),
      { stdio: 'ignore' },
    );
  try {
    for (const [days, expires] of [
      ['10', true],
      ['30', false],
    ] as const) {
      make(days);
      const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }).listen(
        0,
        '127.0.0.1',
      );
      await once(server, 'listening');
      const publicUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const config = { ...world.deps.config, production: true, publicUrl };
      const { warnings = [] } = await ready(200, createApp({ ...world.deps, config }));
      server.close();
      expect(warnings.includes('CERTIFICATE_EXPIRES')).toBe(expires);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
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
