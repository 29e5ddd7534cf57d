/** Ctrl-C and SIGTERM end a command within a second, also during a calculation. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SampleWorld, startSampleWorld } from '../sample/simulated.ts';
import { databaseNamed, openFolder, type Running, SLOW, start, until, uriOf } from './kit.ts';

/** A second, plus time for a busy machine. */
const SOON_MS = 3_000;
const LONG = ['--method', 'gile', '--population-size', '1000000', '--samples', '100000'];

let study: SampleWorld;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  folder = await openFolder();
  study = await startSampleWorld(5, { people: 120, seeds: 4 });
}, SLOW);
afterAll(async () => {
  await folder.remove();
  await study.world.stop();
});

async function endedBy(signal: 'SIGINT' | 'SIGTERM', { child, ended }: Running) {
  const begin = Date.now();
  child.kill(signal);
  const { code, err } = await ended;
  expect(Date.now() - begin).toBeLessThan(SOON_MS);
  return { code, signal: child.signalCode, err };
}

/** The command has read its sample and is calculating. */
async function calculating(running: Running): Promise<Running> {
  await until(() => running.complained().includes('is a number'), 'it has its sample');
  await sleep(500);
  expect(running.child.exitCode).toBeNull();
  return running;
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a long bootstrap of a file',
  async (signal) => {
    const from = ['--from', 'test/analysis/data/edge240.csv', '--outcome', 'status', 'network_size'];
    const columns = ['--recruiter', 'recruiter_id', '--size', 'network_size'];
    const running = await calculating(start('analyse', [...from, ...columns, ...LONG]));
    expect(await endedBy(signal, running)).toMatchObject({ signal });
  },
  SLOW,
);

test(
  'SIGTERM ends a long bootstrap of the study',
  async () => {
    const running = await calculating(start('analyse', ['--outcome', 'status', 'score', ...LONG]));
    expect(await endedBy('SIGTERM', running)).toMatchObject({ signal: 'SIGTERM' });
  },
  SLOW,
);

test(
  'SIGTERM ends a coverage study',
  async () => {
    const running = start('coverage-study');
    await sleep(2_000);
    expect(running.child.exitCode).toBeNull();
    expect(await endedBy('SIGTERM', running)).toMatchObject({ signal: 'SIGTERM' });
  },
  SLOW,
);

test(
  'SIGTERM ends a simulation',
  async () => {
    const name = `t_${randomUUID().slice(0, 8)}`;
    const surveys = databaseNamed(name).collection('surveys');
    const many = ['--respondents', '200', '--population', '300'];
    const running = start('simulate', many, { MONGO_URI: uriOf(name) });
    await until(async () => (await surveys.estimatedDocumentCount()) > 3, 'it plays');
    expect(await endedBy('SIGTERM', running)).toMatchObject({ code: 130, err: 'Interrupted.' });
    await databaseNamed(name).dropDatabase();
  },
  SLOW,
);

/** A proxy of the database that returns nothing once an export reads its interviews. */
async function startLine() {
  const { hostname, port } = new URL(uriOf());
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) socket.on('error', () => socket.destroy());
    near.on('data', (bytes) => {
      isSilent ||= bytes.includes('$bsonSize');
      far.write(bytes);
    });
    far.on('data', (bytes) => isSilent || near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const uri = new URL(uriOf());
  uri.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  uri.search = 'directConnection=true';
  return { uri: uri.href, isSilent: () => isSilent, stop: () => server.close() };
}

test(
  'SIGTERM ends an export whose database does not respond, and leaves no file',
  async () => {
    const line = await startLine();
    const path = folder.path('silent.csv');
    const running = start('export', ['--out', path], { MONGO_URI: line.uri });
    await until(line.isSilent, 'it waits for the database');
    expect(await endedBy('SIGTERM', running)).toMatchObject({ code: 130 });
    line.stop();
    expect(folder.names('silent')).toEqual([]);
  },
  SLOW,
);

/** A mongod that never becomes ready. */
async function sleepingMongod(): Promise<string> {
  const path = folder.path('mongod');
  await writeFile(path, '#!/bin/sh\n[ "$1" = --version ] && echo "db version v7.0.0" || exec sleep 20\n', {
    mode: 0o755,
  });
  return path;
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s while the database starts leaves no lock, for the starting or a waiting command',
  async (signal) => {
    const dataDir = folder.path(`data-${signal}`);
    const MONGOD_BINARY = await sleepingMongod();
    const env = { MONGO_URI: '', DATA_DIR: dataDir, MONGOD_BINARY };
    const locks = () => readdirSync(dataDir).filter((name) => name.startsWith('mongod.lock'));
    const first = start('users', ['list'], env);
    const mongod = async () => JSON.parse(await readFile(join(dataDir, 'mongod.json'), 'utf8')).pid;
    await until(async () => Boolean(await mongod().catch(() => null)), 'the database starts');
    const second = start('users', ['list'], env);
    await until(() => locks().length === 2, 'another command waits');
    expect(await endedBy(signal, second)).toMatchObject({ code: 130 });
    expect(locks()).toEqual(['mongod.lock']);
    expect(await endedBy(signal, first)).toMatchObject({ code: 130 });
    expect(locks()).toEqual([]);
    process.kill(await mongod());
  },
  SLOW,
);
