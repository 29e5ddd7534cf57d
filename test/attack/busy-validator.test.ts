/** On a busy machine nothing is rejected for that: interviews are stored, or phones are told to retry. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Response } from 'supertest';
import { VALIDATOR_LIMITS } from '../../src/questionnaires/validator/validator.ts';
import { type Person, worldOfFile } from '../people.ts';

let ada: Person;
let site: string;
const world = worldOfFile();
beforeAll(async () => {
  site = await world.place();
  ada = await world.person({ role: 'ADMIN', location: site });
});
const usual = { ...VALIDATOR_LIMITS };
afterEach(() => Object.assign(VALIDATOR_LIMITS, usual));

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const ROWS = times(40, (at) => `row${at}`);
const COLUMNS = times(8, (at) => `column${at}`);

let sentAgain = 0;
/** Retries after a 503 as a phone does, when Retry-After says so. */
async function again(ask: () => PromiseLike<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    expect([answer.body.code, answer.headers['retry-after']]).toEqual(['UNAVAILABLE', '5']);
    sentAgain += 1;
    await sleep(500);
  }
}

/** A questionnaire of tables, and complete answers to it. */
async function tables(count: number) {
  const names = times(count, (at) => `table${at}`);
  const columns = COLUMNS.map((name) => ({ name, cellType: 'dropdown', choices: [1, 2, 3, 4, 5] }));
  const elements = names.map((name) => ({ type: 'matrixdropdown', name, columns, rows: ROWS }));
  const degree = { type: 'text', inputType: 'number', name: 'degree' };
  const definition = { pages: [{ name: 'p', elements: [degree, ...elements] }] };
  const form = { name: 'Tables', definition, networkSizeQuestion: 'degree' };
  const { body } = await again(() => ada.post('/api/questionnaires', form));
  const row = Object.fromEntries(COLUMNS.map((name) => [name, 3]));
  const table = Object.fromEntries(ROWS.map((name) => [name, row]));
  return {
    questionnaire: body.id as string,
    answers: Object.fromEntries(names.map((name) => [name, table])),
  };
}

const send = (
  { questionnaire, answers }: Awaited<ReturnType<typeof tables>>,
  degree: number,
  by: Person = ada,
) => by.post('/api/surveys', { location: site, questionnaire, responses: { degree, ...answers } });

const validators = () =>
  execFileSync('pgrep', ['-P', String(process.pid), '-f', 'validator-process'])
    .toString()
    .trim()
    .split('\n')
    .map(Number);

async function whileStopped<T>(work: () => Promise<T>): Promise<T> {
  const stopped = validators();
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  }
}

test('six simultaneous interviews with large tables are all stored, after retries', async () => {
  const form = await tables(1);
  VALIDATOR_LIMITS.maxWaitMs = 500;
  sentAgain = 0;
  const people = await Promise.all(times(6, () => world.person({ location: site })));
  const answers = await Promise.all(people.map((by, at) => again(() => send(form, at, by))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(sentAgain).toBeGreaterThan(0);
}, 240_000);

test('however much one person sends, another’s questionnaire is checked meanwhile', async () => {
  VALIDATOR_LIMITS.seconds = 2;
  const eve = await world.person({ role: 'ADMIN', location: site });
  const degree = { type: 'text', inputType: 'number', name: 'degree' };
  const form = (name: string, elements: object[]) => ({
    ...{ name, definition: { elements: [degree, ...elements] }, networkSizeQuestion: 'degree' },
  });
  const columns = times(50, (at) => ({ name: `c${at}`, cellType: 'text' }));
  const costly = { type: 'matrixdynamic', name: 'table', rowCount: 1_000, maxRowCount: 1_000, columns };
  let finishedCount = 0;
  const all = times(4, async (at) => {
    await ada.post('/api/questionnaires', form(`Costly ${at}`, [costly]));
    finishedCount += 1;
  });
  const { status } = await again(() => eve.post('/api/questionnaires', form('Small', [])));
  expect(status).toBe(201);
  expect(finishedCount).toBeLessThan(2);
  await Promise.all(all);
}, 120_000);

test('a validator that gets no CPU time rejects nothing', async () => {
  const form = await tables(1);
  await again(() => send(form, 1));
  VALIDATOR_LIMITS.seconds = 2;
  const [answer] = await whileStopped(async () => {
    const requests = again(() => send(form, 2));
    await sleep(2 * VALIDATOR_LIMITS.seconds * 1_000 + 500);
    return [requests];
  });
  expect((await answer).status).toBe(201);
}, 240_000);

test('a change of answers is validated outside a transaction, and again after a concurrent change', async () => {
  const form = await tables(1);
  const { body: survey } = await again(() => send(form, 1));
  const client = mongoose.connection.getClient();
  const own = client.withSession;
  let open = 0;
  client.withSession = (async (...args: Parameters<typeof own>) => {
    open += 1;
    return await own.apply(client, args).finally(() => {
      open -= 1;
    });
  }) as typeof own;
  try {
    const [changing] = await whileStopped(async () => {
      const changed = again(() =>
        ada.patch(`/api/surveys/${survey.id}`, { responses: { degree: 9, ...form.answers } }),
      );
      await sleep(1_000);
      expect(open).toBe(0);
      const coordinates = { latitude: 47.6, longitude: -122.3 };
      await ada.patch(`/api/surveys/${survey.id}`, { coordinates }).expect(200);
      return [changed];
    });
    const { status, body } = await changing;
    expect([status, body.version, body.networkSize, body.coordinates?.latitude]).toEqual([200, 3, 9, 47.6]);
  } finally {
    client.withSession = own;
  }
}, 120_000);

test('the time of other threads of a validator, such as V8’s compiler, is not counted against a job', async () => {
  const busyThread =
    "import { Worker } from 'node:worker_threads'; new Worker('for (;;);', { eval: true }).unref();";
  const child = fork('src/questionnaires/validator/validator-process.ts', [], {
    execArgv: ['--import', 'tsx', '--import', `data:text/javascript,${encodeURIComponent(busyThread)}`],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit').then(([, signal]) => signal);
  const heard = async (word: string) => {
    for (;;) {
      const [message] = await once(child, 'message');
      if (message === word || word in Object(message)) return message;
    }
  };
  try {
    await heard('ready');
    const job = { kind: 'answers', questionnaire: 'a', responses: '{"degree":"3"}', moments: [] };
    const reported = heard('report');
    child.send({ job: { job, budgetMs: 2_000 } });
    const { id } = await reported;
    // Until the other thread has used up the budget several times.
    await sleep(12_000);
    const replied = heard('reply');
    child.send({ id, answer: JSON.stringify({ elements: [{ type: 'text', name: 'degree' }] }) });
    expect(await Promise.race([replied, ended])).toEqual({ reply: [] });
  } finally {
    child.kill('SIGKILL');
  }
}, 120_000);
