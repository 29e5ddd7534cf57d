/** Migrations, run by real processes that start simultaneously, sleep and are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type mongoose from 'mongoose';
import { LEASES_COLLECTION } from '../../src/platform/db/lease.ts';
import { worldOfFile } from '../people.ts';
import { command, databaseNamed, SLOW, start, until, uriOf } from '../scripts/kit.ts';

const THINGS = 40;

let databases = 0;
let db: mongoose.mongo.Db;
const running: ChildProcess[] = [];

worldOfFile();
beforeEach(async () => {
  db = databaseNamed(`t_migrate_${process.pid}_${databases++}`);
  const things = Array.from({ length: THINGS }, (_, n) => ({ _id: n as never, old: n, times: 0 }));
  await db.collection('things').insertMany(things);
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  await db.dropDatabase();
});

interface Starting {
  child: ChildProcess;
  said(): string;
  ended: Promise<unknown>;
}

function begin(): Starting {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/mongod/migrating.ts'], {
    env: { ...process.env, NODE_OPTIONS: '', MONGO_URI: uriOf(db.databaseName) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  let output = '';
  child.stdout.on('data', (text) => {
    output += String(text);
  });
  return { child, said: () => output, ended: once(child, 'close') };
}

const letGo = () => db.collection('signs').insertOne({});
const changed = () => db.collection('things').countDocuments({ old: { $exists: false }, times: 1 });
const runs = () => db.collection('runs').countDocuments();

test(
  'when two processes start together, one migrates and the other waits',
  async () => {
    const both = [begin(), begin()];
    await until(() => both.some((one) => one.said().includes('half')), 'one is half-way');
    await until(() => both.some((one) => one.said().includes('waiting')), 'the other waits');
    expect(both.map((one) => one.said()).join()).not.toContain('done');
    await letGo();
    await Promise.all(both.map((one) => one.ended));
    for (const one of both) expect(one.said()).toContain('done');
    expect([await runs(), await changed()]).toEqual([1, THINGS]);
    expect(await db.collection('migrations').find().toArray()).toMatchObject([{ _id: '2027-01-01-things' }]);
  },
  SLOW,
);

test(
  'a migration of a killed process is completed by the next, and no record is changed twice',
  async () => {
    const first = begin();
    await until(() => first.said().includes('half'), 'the first is half-way');
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await changed()).toBe(THINGS / 2 + 1);
    await letGo();
    const second = begin();
    await second.ended;
    expect(second.said()).toContain('done');
    expect([await runs(), await changed()]).toEqual([2, THINGS]);
    // A third process has nothing to do.
    await begin().ended;
    expect(await runs()).toBe(2);
  },
  SLOW,
);

test(
  'a suspended process does no harm when it resumes after another took over',
  async () => {
    const first = begin();
    await until(() => first.said().includes('half'), 'the first is half-way');
    first.child.kill('SIGSTOP');
    await letGo();
    await begin().ended;
    expect(await changed()).toBe(THINGS);
    first.child.kill('SIGCONT');
    await first.ended;
    expect(first.said()).toContain('done');
    expect(await changed()).toBe(THINGS);
  },
  SLOW,
);

test(
  'a database of a newer version is rejected with a clear message and not changed',
  async () => {
    await db.collection('migrations').insertOne({ _id: '2099-01-01-what-comes' as never });
    const names = async () =>
      (await db.listCollections({}, { nameOnly: true }).toArray()).filter(
        ({ name }) => name !== LEASES_COLLECTION,
      );
    const before = await names();
    const { code, err } = await command('users', ['list'], { MONGO_URI: uriOf(db.databaseName) });
    expect(code).toBe(1);
    expect(err).toMatch(/newer version of the service \(2099-01-01-what-comes\)\. Start that version/);
    expect(await names()).toHaveLength(before.length);
  },
  SLOW,
);

test(
  'the service does not start on a database of a newer version',
  async () => {
    await db.collection('migrations').insertOne({ _id: '2099-01-01-what-comes' as never });
    const { code, out, err } = await start('../src/main', [], {
      MONGO_URI: uriOf(db.databaseName),
      PORT: '0',
    }).ended;
    expect(code).toBe(1);
    expect(err).toContain('newer version of the service (2099-01-01-what-comes)');
    expect(out).not.toContain('The service is up');
  },
  SLOW,
);
