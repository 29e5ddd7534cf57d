/** The embedded mongod: its data survives any way of stopping, and users of one DATA_DIR share one mongod. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../src/platform/db/embedded/embedded.ts';
import { isProcessAlive, processIdentityOf } from '../../src/platform/db/embedded/process-identity.ts';
import { findFreePort } from '../free-port.ts';

const binary = process.env.TEST_MONGOD_BINARY;
const log = { info: () => {}, warn: () => {} };
let dataDir: string;
let started: EmbeddedDatabase[];
let users: ChildProcess[];
let port: number;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-'));
  port = await findFreePort();
  await writeFile(join(dataDir, 'mongod.json'), JSON.stringify({ port }));
  started = [];
  users = [];
});

afterEach(async () => {
  for (const user of users) user.kill('SIGKILL');
  await Promise.all(started.map((embedded) => embedded.stop()));
  const { pid } = await readPidFile();
  if (pid && isProcessAlive(processIdentityOf(pid))) process.kill(pid, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<EmbeddedDatabase> {
  const embedded = await startEmbeddedDatabase({ dataDir, binary, log });
  started.push(embedded);
  return embedded;
}

async function startUser(): Promise<{ user: ChildProcess; uri: string }> {
  const args = ['--import', 'tsx', join('test', 'mongod', 'embedded-user.ts')];
  const user = spawn(process.execPath, args, {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  users.push(user);
  const [line] = await once(user.stdout as NodeJS.ReadableStream, 'data');
  return { user, uri: String(line).trim() };
}

const readPidFile = async (): Promise<{ pid?: number; port?: number; started?: string }> =>
  JSON.parse(await readFile(join(dataDir, 'mongod.json'), 'utf8').catch(() => '{}'));

async function mongodPid(): Promise<number> {
  const { pid } = await readPidFile();
  if (!pid) throw new Error('mongod.json names no process');
  return pid;
}

/** Uses a separate connection; retries a while, as the service's connection does. */
async function withNotes<T>(uri: string, work: (notes: mongoose.mongo.Collection) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri, {
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    return await work(client.db('t').collection('notes'));
  } finally {
    await client.close();
  }
}

const write = (uri: string, text: string) => withNotes(uri, (notes) => notes.insertOne({ text }));
const texts = (uri: string) =>
  withNotes(uri, async (notes) => (await notes.find().toArray()).map((n) => n.text));

test('data and port survive a stop, and only one old mongod log is kept', async () => {
  const first = await start();
  await write(first.uri, 'kept');
  const pid = await mongodPid();
  await first.stop();
  await first.stop();
  expect(processIdentityOf(pid)).toBeNull();

  for (let round = 0; round < 2; round++) {
    const again = await start();
    expect(again.uri).toBe(first.uri);
    expect(await texts(again.uri)).toEqual(['kept']);
    await again.stop();
  }
  expect(existsSync(join(dataDir, 'mongod.log.1'))).toBe(true);
  expect(existsSync(join(dataDir, 'mongod.log.2'))).toBe(false);
});

test('if another program has taken the port, mongod starts on a new one with its data', async () => {
  const first = await start();
  await write(first.uri, 'kept');
  await first.stop();
  const thief = createServer((socket) => socket.destroy()).listen((await readPidFile()).port, '127.0.0.1');
  await once(thief, 'listening');

  const second = await start();
  expect(second.uri).not.toBe(first.uri);
  expect(await texts(second.uri)).toEqual(['kept']);
  thief.close();
});

test('transactions work, and are limited to 30 seconds', async () => {
  const { uri } = await start();
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  const notes = client.db('t').collection('notes');
  await notes.insertOne({ text: 'outside' });
  const refused = client.withSession((session) =>
    session.withTransaction(async () => {
      await notes.insertOne({ text: 'inside' }, { session });
      throw new Error('changed my mind');
    }),
  );
  await expect(refused).rejects.toThrow('changed my mind');
  expect(await notes.countDocuments()).toBe(1);
  const command = { getParameter: 1, transactionLifetimeLimitSeconds: 1 };
  expect(await client.db('admin').command(command)).toMatchObject({ transactionLifetimeLimitSeconds: 30 });
  await client.close();
});

test('a killed mongod is restarted at the same address', async () => {
  const { uri } = await start();
  await write(uri, 'kept');
  const pid = await mongodPid();
  process.kill(pid, 'SIGKILL');
  expect(await texts(uri)).toEqual(['kept']);
  expect(await mongodPid()).not.toBe(pid);
});

test('the mongod of a killed service keeps running, and the next start takes it over and stops it', async () => {
  const { user, uri } = await startUser();
  await write(uri, 'kept');
  const pid = await mongodPid();
  user.kill('SIGKILL');
  await once(user, 'exit');
  expect(processIdentityOf(pid)).not.toBeNull();

  const next = await start();
  expect(next.uri).toBe(uri);
  expect(await mongodPid()).toBe(pid);
  expect(await texts(next.uri)).toEqual(['kept']);
  await next.stop();
  expect(processIdentityOf(pid)).toBeNull();
});

test('simultaneous starts share one mongod, and the last to stop stops it', async () => {
  const [one, two, other] = await Promise.all([start(), start(), startUser()]);
  expect([two.uri, other.uri]).toEqual([one.uri, one.uri]);
  const pid = await mongodPid();

  await one.stop();
  await two.stop();
  expect(processIdentityOf(pid)).not.toBeNull();
  await write(other.uri, 'still served');

  other.user.stdin?.end();
  await once(other.user, 'exit');
  expect(processIdentityOf(pid)).toBeNull();
});

test.each([
  ['another process with that id', () => ({ pid: process.ppid, started: 'long ago' })],
  ['an id without a process', () => ({ pid: 4_000_000, started: 'long ago' })],
])('a mongod.json from before a reboot is ignored: %s', async (_, oldContents) => {
  await writeFile(join(dataDir, 'mongod.json'), JSON.stringify({ ...oldContents(), port }));
  const { uri } = await start();
  await write(uri, 'new');
  expect(uri).toContain(`:${port}/`);
  expect(await mongodPid()).not.toBe(oldContents().pid);
  expect(processIdentityOf(process.ppid)).not.toBeNull();
});

test('broken files and the lock of a dead process do not prevent a start', async () => {
  await writeFile(join(dataDir, 'mongod.json'), '{"pid":');
  await writeFile(join(dataDir, 'mongod.lock'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
  const { uri } = await start();
  expect(await texts(uri)).toEqual([]);
});

test('a mongod whose process id was not stored is found by its data folder', async () => {
  const { user, uri } = await startUser();
  const { pid, port } = await readPidFile();
  user.kill('SIGKILL');
  await once(user, 'exit');
  await writeFile(join(dataDir, 'mongod.json'), JSON.stringify({ port }));

  expect((await start()).uri).toBe(uri);
  expect(await mongodPid()).toBe(pid);
});

test('a mongod that fails to start is reported with the errors in its log', async () => {
  const first = await start();
  await first.stop();
  await writeFile(join(dataDir, 'mongo', 'WiredTiger.turtle'), 'nonsense');
  await writeFile(join(dataDir, 'mongo', 'WiredTiger.wt'), 'nonsense');
  await expect(startEmbeddedDatabase({ dataDir, binary, log })).rejects.toThrow(
    /mongod stopped while it started.*WiredTiger/s,
  );
});
