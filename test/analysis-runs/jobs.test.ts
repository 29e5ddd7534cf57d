/** Which process works on a run: real processes and a real mongod, killed, stopped and suspended midway. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { randomStream } from '../../src/statistics/estimators/draws/random.ts';
import { startJobs } from '../../src/statistics/runs/jobs.ts';
import { AnalysisRunModel } from '../../src/statistics/runs/model.ts';
import { type Person, startWorld, type World } from '../people.ts';
import { activate, insertPeople, simulate } from '../sample/simulated.ts';

let world: World;
let admin: Person;
let root: Person;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  world = await startWorld();
  [admin, root] = [await world.person({ role: 'ADMIN' }), await world.person({ role: 'SUPER_ADMIN' })];
  const questionnaire = await activate(root);
  const locations = [await world.place(), await world.place()];
  const people = simulate(randomStream(1, 'jobs'), { people: 1_200, seeds: 12, locations });
  await insertPeople(people, { questionnaire, by: admin.id });
}, 60_000);

afterAll(async () => {
  for (const one of processes) one.kill('SIGKILL');
  await world.stop();
});

async function newProcess(): Promise<ChildProcess> {
  const args = [process.env.TEST_MONGO_URI ?? '', mongoose.connection.name];
  const child = fork('test/analysis-runs/jobs-process.ts', args, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  processes.push(child);
  await once(child, 'message');
  return child;
}

const LONG = { outcome: null, method: 'TREE', samples: 7_000, randomSeed: 11 };
const SHORT = { outcome: 'status', method: 'TREE', samples: 100, randomSeed: 11 };
const ask = async (body: object) =>
  (await admin.post('/api/analysis/runs', body).expect(202)).body.id as string;
const runStatus = async (id: string) => (await root.get(`/api/analysis/runs/${id}`).expect(200)).body;
const stored = async (id: string) => await AnalysisRunModel.findById(id).lean();

async function until<T>(what: () => Promise<T>, is: (value: T) => boolean, ms = 60_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await what();
    if (is(value)) return value;
    if (Date.now() > end) throw new Error(`it never came: ${JSON.stringify(value).slice(0, 500)}`);
    await sleep(50);
  }
}
const ended = (id: string) =>
  until(
    () => runStatus(id),
    ({ state }) => state !== 'WAITING' && state !== 'RUNNING',
  );
const underWay = (id: string) =>
  until(
    () => runStatus(id),
    ({ state, progress }) => state === 'RUNNING' && progress > 0,
  );

test('one of several processes works on a run; if killed, another resumes it with the same numbers', async () => {
  const [first, second] = await Promise.all([newProcess(), newProcess()]);
  const ids = await Promise.all([1, 2, 3, 4].map(() => ask(SHORT)));
  const finishedRuns = await Promise.all(ids.map(ended));
  for (const [at, one] of finishedRuns.entries()) {
    expect(one).toMatchObject({ state: 'DONE', progress: 1, error: null, result: { randomSeed: 11 } });
    expect(one.result.outcomes).toEqual(finishedRuns[0].result.outcomes);
    expect((await stored(ids[at] ?? ''))?.tries).toBe(1);
  }

  // The second process is suspended, so that the first one gets the run.
  second.kill('SIGSTOP');
  const id = await ask(LONG);
  await underWay(id);
  first.kill('SIGKILL');
  second.kill('SIGCONT');
  await sleep(500);
  expect((await stored(id))?.tries).toBe(1);
  const broken = await ended(id);
  expect((await stored(id))?.tries).toBe(2);
  const whole = await ended(await ask(LONG));
  expect(broken.state).toBe('DONE');
  expect(broken.result.outcomes).toEqual(whole.result.outcomes);
  expect(broken.result.dataHash).toBe(whole.result.dataHash);
}, 180_000);

test('a run cancelled midway has no result, and the next one starts at once', async () => {
  const id = await ask(LONG);
  await underWay(id);
  await admin.delete(`/api/analysis/runs/${id}`).expect(204);
  const since = Date.now();
  expect(await ended(await ask(SHORT))).toMatchObject({ state: 'DONE' });
  expect(Date.now() - since).toBeLessThan(15_000);
  await admin.delete(`/api/analysis/runs/${id}`).expect(204);
  expect(await runStatus(id)).toMatchObject({ state: 'CANCELLED', result: null });
}, 120_000);

test('a process that was suspended notices that another has taken over its run', async () => {
  const [, suspendedProcess] = processes;
  const id = await ask(LONG);
  await underWay(id);
  suspendedProcess?.kill('SIGSTOP');
  const other = await newProcess();
  await until(
    () => stored(id),
    (run) => run?.tries === 2,
  );
  suspendedProcess?.kill('SIGCONT');
  expect(await ended(id)).toMatchObject({ state: 'DONE' });
  expect((await stored(id))?.tries).toBe(2);
  other.kill('SIGTERM');
  await once(other, 'exit');
}, 120_000);

test('a process that is stopped releases its run, and another one completes it', async () => {
  const [, last] = processes;
  const id = await ask(LONG);
  await underWay(id);
  const since = Date.now();
  last?.kill('SIGTERM');
  await once(last as ChildProcess, 'exit');
  expect(Date.now() - since).toBeLessThan(8_000);
  expect(await stored(id)).toMatchObject({ state: 'WAITING', holder: null, tries: 0 });
  const timing = { holdMs: 1_000, pollMs: 100 };
  const jobs = startJobs({ timeZone: 'UTC', secret: 'any', log: world.deps.log }, timing);
  try {
    expect(await ended(id)).toMatchObject({ state: 'DONE' });
  } finally {
    await jobs.stop();
  }
}, 120_000);
