/** A restore needs exclusive use of the database: it is rejected while others use it. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { makeBackup } from '../../scripts/backup/make.ts';
import { LEASES_COLLECTION } from '../../src/platform/db/lease.ts';
import {
  ask,
  endProcess,
  type ProcessOptions,
  type ServiceProcess,
  startProcess,
  tokenOf,
} from '../attack/service-process.ts';
import { startWorld, type World } from '../people.ts';
import {
  all,
  answerOf,
  command,
  databaseNamed,
  type Ended,
  openFolder,
  SLOW,
  start,
  until,
  uriOf,
} from './kit.ts';

type Db = mongoose.mongo.Db;
const MANY = 3_000;

let world: World;
let folder: Awaited<ReturnType<typeof openFolder>>;
/** Has one site, one person, and enough events that a restore takes a while. */
let archive: string;
let token: string;
const services: ServiceProcess[] = [];
const databases: Db[] = [];

beforeAll(async () => {
  [world, folder] = [await startWorld(), await openFolder()];
  archive = folder.path('study.archive');
  const location = await world.place();
  const ana = await world.person({ role: 'SUPER_ADMIN', location });
  token = tokenOf(new mongoose.Types.ObjectId(ana.id));
  const events = Array.from({ length: MANY }, () => ({
    action: 'test',
    padding: 'x'.repeat(300),
    createdAt: new Date(),
  }));
  await mongoose.connection.collection('auditevents').insertMany(events, { bypassDocumentValidation: true });
  await makeBackup(archive, new Date(), () => {});
}, SLOW);
afterAll(async () => {
  for (const one of services) endProcess(one);
  for (const db of databases) await db.dropDatabase();
  await world.stop();
  await folder.remove();
});

function newDatabase(): { MONGO_URI: string; db: Db } {
  const name = `t_restore_${randomUUID().slice(0, 8)}`;
  const db = databaseNamed(name);
  databases.push(db);
  return { MONGO_URI: uriOf(name), db };
}

/** A database with the people and sites of the backup. */
async function inUse(): Promise<{ MONGO_URI: string; db: Db }> {
  const database = newDatabase();
  for (const name of ['users', 'locations']) await database.db.collection(name).insertMany(await all(name));
  return database;
}

async function serve(options: ProcessOptions): Promise<ServiceProcess> {
  const one = await startProcess(options);
  services.push(one);
  return one;
}

const argsOf = (more: string[]) => ['--from', archive, ...more];
/** Runs in a process that can be killed. */
const restore = (env: NodeJS.ProcessEnv, ...more: string[]) => start('restore', argsOf(more), env);
const restoreAtOnce = (env: NodeJS.ProcessEnv, ...more: string[]) => command('restore', argsOf(more), env);
const names = async (db: Db) => (await db.listCollections().toArray()).map((one) => one.name);
const sites = async (db: Db) => new Set(await db.collection('locations').distinct('name'));
const lease = (db: Db, filter: object) => db.collection(LEASES_COLLECTION).findOne(filter);
const swap = (db: Db) => lease(db, { _id: 'swap' as never });
/** Expires the lease of a killed process, as time would. */
const runOut = (db: Db, kind: string) =>
  db.collection(LEASES_COLLECTION).updateMany({ kind }, { $set: { until: new Date(0) } });

async function post(service: ServiceProcess, name: string): Promise<number> {
  const body = { name, type: 'SHELTER' };
  return (await ask(service, 'POST', '/api/locations', { token, body })).status;
}

describe('with two services that start during a restore', () => {
  let db: Db;
  let MONGO_URI: string;
  let both: ServiceProcess[];
  let restores: Ended[];
  let listed: Ended;
  let restored: Set<string>;
  beforeAll(async () => {
    ({ db, MONGO_URI } = newDatabase());
    const two = [restore({ MONGO_URI }), restore({ MONGO_URI })];
    await until(async () => (await lease(db, { kind: 'restore' })) !== null, 'one has begun');
    [restores, listed, both] = await Promise.all([
      Promise.all(two.map((one) => one.ended)),
      command('users', ['list'], { MONGO_URI }),
      Promise.all([1, 2].map(() => serve({ env: { MONGO_URI } }))),
    ]);
    for (const one of both) await one.until('The service is up');
    restored = await sites(databaseNamed(mongoose.connection.name));
  }, SLOW);

  test(
    'one of two simultaneous restores is rejected; services starting meanwhile wait for the restored data',
    async () => {
      expect(restores.map((one) => one.code).sort()).toEqual([0, 1]);
      expect(restores.find((one) => one.code === 1)?.err).toMatch(
        /^1 other restore is at work on this database/,
      );
      expect(listed).toMatchObject({ code: 1, err: expect.stringMatching(/^A backup is being restored/) });
      for (const [at, one] of both.entries()) expect(await post(one, `Site ${at}`)).toBe(201);
      expect(await sites(db)).toEqual(new Set([...restored, 'Site 0', 'Site 1']));
    },
    SLOW,
  );

  test(
    'a restore is rejected while the service runs, even with --force',
    async () => {
      const before = await sites(db);
      for (const more of [[], ['--force']])
        expect(await restoreAtOnce({ MONGO_URI }, ...more)).toMatchObject({
          code: 1,
          err: expect.stringMatching(
            /^2 processes of the service are at work on this database, since 20.*Nothing was changed\. Stop all/,
          ),
        });
      for (const [at, one] of both.entries()) expect(await post(one, `Later site ${at}`)).toBe(201);
      expect(await sites(db)).toEqual(new Set([...before, 'Later site 0', 'Later site 1']));
    },
    SLOW,
  );

  test(
    'a service that lost its lease in an outage stops a forced restore from replacing its writes',
    async () => {
      const [one, other] = both as [ServiceProcess, ServiceProcess];
      other.child.kill('SIGTERM');
      await other.ended;
      // Suspended, so that it has no lease however long the command takes to start.
      one.child.kill('SIGSTOP');
      await runOut(db, 'service');
      const running = restore({ MONGO_URI }, '--force');
      await until(async () => (await lease(db, { kind: 'restore' })) !== null, 'it has begun');
      one.child.kill('SIGCONT');
      expect(await post(one, 'Taken meanwhile')).toBe(201);
      expect(await running.ended).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /1 process of the service is at work on this database.*Nothing was changed/,
        ),
      });
      expect(await sites(db)).toContain('Taken meanwhile');
      expect((await names(db)).filter((name) => name.startsWith('restoring.'))).toEqual([]);
    },
    SLOW,
  );

  test(
    'a killed service blocks a restore until its lease expires; then --force is needed',
    async () => {
      const [one] = both as [ServiceProcess];
      const { size } = await sites(db);
      process.kill(-(one.child.pid ?? 0), 'SIGKILL');
      await one.ended;
      expect((await restoreAtOnce({ MONGO_URI })).err).toMatch(/^1 process of the service is at work/);
      await runOut(db, 'service');
      expect((await restoreAtOnce({ MONGO_URI })).err).toMatch(/^The database is not empty/);
      const { code, err } = await restoreAtOnce({ MONGO_URI }, '--force');
      expect({ code, lost: / (\d+) locations/.exec(err)?.[1] }).toEqual({ code: 0, lost: String(size) });
      expect(await sites(db)).toEqual(restored);
      expect(await db.collection(LEASES_COLLECTION).countDocuments({ kind: 'restore' })).toBe(0);
    },
    SLOW,
  );
});

test(
  'data written by another program during a restore is not replaced',
  async () => {
    const { MONGO_URI, db } = newDatabase();
    const running = restore({ MONGO_URI });
    await until(async () => (await names(db)).some((one) => one.startsWith('restoring.')), 'it writes');
    await db.collection('surveys').insertOne({ of: 'a program of somebody else' });
    expect(await running.ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The database is not empty \(surveys\)/),
    });
    expect(await names(db)).toEqual(expect.arrayContaining(['surveys']));
    expect((await names(db)).filter((one) => one.startsWith('restoring.'))).toEqual([]);
  },
  SLOW,
);

test(
  'a restore killed before the swap keeps the old data; killed during it, the service completes it',
  async () => {
    const { MONGO_URI, db } = await inUse();
    const users = await db.collection('users').find().sort({ _id: 1 }).toArray();
    const before = await sites(db);
    await db.collection('locations').insertOne({ name: 'Of today' });

    const first = restore({ MONGO_URI }, '--force');
    await until(async () => (await names(db)).some((one) => one.startsWith('restoring.')), 'it writes');
    first.child.kill('SIGKILL');
    await first.ended;
    expect((await restoreAtOnce({ MONGO_URI }, '--force')).err).toMatch(/^1 other restore is at work/);
    await runOut(db, 'restore');
    expect(await sites(db)).toEqual(new Set([...before, 'Of today']));

    // A lock on the old collection stops the swap midway.
    const session = mongoose.connection.getClient().startSession();
    session.startTransaction();
    await db.collection('users').insertOne({ firstName: 'Nobody' }, { session });
    const second = restore({ MONGO_URI }, '--force');
    await until(
      async () => (await swap(db)) !== null && !(await sites(db)).has('Of today'),
      'the sites are swapped',
    );
    second.child.kill('SIGKILL');
    await second.ended;
    await session.abortTransaction();
    await session.endSession();
    expect(await swap(db)).toMatchObject({ placed: false });
    const service = await serve({ env: { MONGO_URI } });
    await service.until('waiting until it has finished');
    await runOut(db, 'restore');
    await service.until('The service is up');
    expect(await post(service, 'After')).toBe(201);
    expect(service.said()).toMatch(/A restore was interrupted/);
    expect(await sites(db)).toEqual(new Set([...before, 'After']));
    expect(await db.collection('users').find().sort({ _id: 1 }).toArray()).toEqual(users);
    expect(await db.collection('auditevents').countDocuments({ action: 'test' })).toBe(MANY);
    expect(await swap(db)).toBeNull();
    expect((await names(db)).filter((one) => one.startsWith('restoring.'))).toEqual([]);
  },
  SLOW,
);

test(
  'a restore follows the same rules for the database under DATA_DIR',
  async () => {
    const service = await serve({});
    await service.until('The service is up');
    const env = {
      MONGO_URI: '',
      DATA_DIR: service.dataDir,
      MONGOD_BINARY: process.env.TEST_MONGOD_BINARY,
    };
    expect((await restoreAtOnce(env)).err).toMatch(/^1 process of the service is at work/);
    service.child.kill('SIGTERM');
    await service.ended;
    expect(await restoreAtOnce(env, '--force')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Restored/),
    });
    const remaining: { name: string }[] = await answerOf('locations', ['list'], env);
    expect(remaining.map((one) => one.name).sort()).toEqual(
      [...(await sites(databaseNamed(mongoose.connection.name)))].sort(),
    );
  },
  SLOW,
);
