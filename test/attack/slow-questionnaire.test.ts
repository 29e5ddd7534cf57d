/** A questionnaire must not be able to hold up the service for everyone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Response } from 'supertest';
import { identityOf, isAlive } from '../../src/db/process-identity.ts';
import { fault } from '../../src/http/error-codes.ts';
import { LIMITS } from '../../src/questionnaires/validator.ts';
import { type Person, startWorld, type World } from '../people.ts';

let world: World;
let ada: Person;
let site: string;
beforeAll(async () => {
  world = await startWorld();
  site = await world.place();
  ada = await world.person({ role: 'ADMIN', location: site });
});
afterAll(() => world.stop());

const degree = { type: 'text', inputType: 'number', name: 'degree' };
const post = (elements: object[]) =>
  ada.post('/api/questionnaires', {
    name: 'Slow',
    definition: { pages: [{ name: 'p', elements: [degree, ...elements] }] },
    networkSizeQuestion: 'degree',
  });
/** Whoever is told to come again finds what was begun for them done. */
async function again(ask: () => PromiseLike<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await sleep(50);
  }
}
/** The limit of processor time, at which each of these ends, is lower meanwhile. */
async function withinSeconds<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const before = LIMITS.seconds;
  LIMITS.seconds = seconds;
  return await work().finally(() => {
    LIMITS.seconds = before;
  });
}
const sendWord = (questionnaire: string, word: string) =>
  ada.post('/api/surveys', { location: site, questionnaire, responses: { degree: 3, word } });

test.each(['^(a|a)*$', '^((a+)b?)+$', '^a*a*a*a*a*a*$'])(
  'answers on which the pattern %s would take for ever are refused in a moment',
  async (regex) => {
    const text = { type: 'text', name: 'word', validators: [{ type: 'regex', regex, text: 'no' }] };
    const { body } = await post([text]).expect(201);
    const times: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      const begin = Date.now();
      await sendWord(body.id, `${'a'.repeat(2000)}!`).expect(400);
      times.push(Date.now() - begin);
    }
    expect(Math.min(...times)).toBeLessThan(1_000);
  },
);

test('a pattern that is refused today is told with its place, and an older questionnaire that has it still takes answers', async () => {
  const text = { type: 'text', name: 'word', validators: [{ type: 'regex', regex: '^(?=a)(a|a)*$' }] };
  const { body } = await post([text]).expect(400);
  expect(body.errors).toEqual([
    {
      path: 'definition.pages.0.elements.1.validators.0.regex',
      ...fault('PATTERN_UNKNOWN'),
    },
  ]);
  const { insertedId } = await mongoose.connection.collection('questionnaires').insertOne({
    name: 'Older',
    version: 1,
    definition: { pages: [{ name: 'p', elements: [degree, text] }] },
    networkSizeQuestion: 'degree',
    active: false,
    createdAt: new Date(),
    deletedAt: null,
  });
  await sendWord(insertedId.toHexString(), 'whatever').expect(201);
});

/** How long the thread that answers requests was away at the most, while `work` was under way. */
async function heldUp(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  await work();
  delays.disable();
  return delays.max / 1e6;
}

const nest = (depth: number): object =>
  depth === 0
    ? { type: 'text', name: 'leaf' }
    : { type: 'paneldynamic', name: `d${depth}`, panelCount: 100, templateElements: [nest(depth - 1)] };
const choices = Array.from({ length: 2_000 }, (_, at) => `choice ${at}`);
const fromAnother = Array.from({ length: 200 }, (_, at) => ({
  type: 'checkbox',
  name: `q${at}`,
  choicesFromQuestion: 'many',
}));

test.each([
  ['unfolds into millions of questions', [nest(4)]],
  [
    'takes hundreds of lists from one long list',
    [{ type: 'checkbox', name: 'many', choices }, ...fromAnother],
  ],
])(
  'a questionnaire that %s is refused, and others are answered meanwhile',
  async (_what, elements) => {
    let refused: { status: number; code?: string } | undefined;
    const others: number[] = [];
    const held = await heldUp(async () => {
      const posted = withinSeconds(1, () => again(() => post(elements))).then(({ status, body }) => {
        refused = { status, code: body.code };
      });
      for (; !refused; await sleep(10)) others.push((await ada.get('/api/study')).status);
      await posted;
    });
    expect(refused).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(new Set(others)).toEqual(new Set([200]));
    expect(others.length).toBeGreaterThan(20);
    // It took seconds in its own process.
    expect(held).toBeLessThan(1_000);
  },
  120_000,
);

test('answers that an older questionnaire takes for ever to check are refused, and others are judged meanwhile', async () => {
  const slow = [{ type: 'checkbox', name: 'many', choices }, ...fromAnother];
  const { insertedId } = await mongoose.connection.collection('questionnaires').insertOne({
    name: 'Older and slow',
    version: 1,
    definition: { pages: [{ name: 'p', elements: [degree, ...slow] }] },
    networkSizeQuestion: 'degree',
    active: false,
    createdAt: new Date(),
    deletedAt: null,
  });
  const answers = async (questionnaire: string | undefined, responses: object) =>
    await again(() => ada.post('/api/surveys', { location: site, questionnaire, responses }));
  const refused = withinSeconds(1, () =>
    answers(insertedId.toHexString(), { degree: 3, many: ['choice 1'] }),
  );
  const others = await Promise.all([1, 2, 3].map(() => answers(undefined, {})));
  for (const { body } of others) expect(body.errors[0].path).toBe('responses.consent');
  expect((await refused).body.errors).toEqual([{ path: 'responses', ...fault('ANSWERS_TOO_SLOW') }]);
  // The process that was ended is replaced.
  expect((await answers(undefined, {})).status).toBe(400);
}, 180_000);

test('neither an unfinished interview nor a tree by its answers holds others up, however large the questionnaire', async () => {
  const large = Array.from({ length: 300 }, (_, at) => ({
    type: 'radiogroup',
    name: `q${at}`,
    choices: Array.from({ length: 15 }, (_each, one) => ({
      value: `v${one}`,
      text: `A long text ${one}`.repeat(2),
    })),
  }));
  const { body: seed } = await ada.post('/api/seeds', { location: site }).expect(201);
  const times: number[] = [];
  // A busy machine may hold this thread up by itself, but not each time.
  for (let tries = 0; tries < 10 && !(Math.min(...times) < 100); tries += 1) {
    const { body, status } = await again(() => post(large));
    expect([status, body.errors]).toEqual([201, undefined]);
    await ada.patch(`/api/questionnaires/${body.id}`, { active: true }).expect(200);
    const survey = { location: site, questionnaire: body.id, status: 'IN_PROGRESS', responses: { q7: 'v3' } };
    const work = async () => {
      await ada.post('/api/surveys', survey).expect(201);
      await ada.get(`/api/recruitment/tree?seed=${seed.id}&question=q7`).expect(200);
    };
    times.push(await heldUp(work));
  }
  expect(Math.min(...times)).toBeLessThan(100);
});

test('calculated values that double one answer twenty times are refused at their place', async () => {
  const calculatedValues = Array.from({ length: 20 }, (_, at) => ({
    name: `v${at}`,
    expression: at === 0 ? '{degree} + {degree}' : `{v${at - 1}} + {v${at - 1}}`,
  }));
  const { body } = await ada
    .post('/api/questionnaires', {
      name: 'Doubling',
      definition: { elements: [degree], calculatedValues },
      networkSizeQuestion: 'degree',
    })
    .expect(400);
  expect(body.errors[0].path).toBe('definition.calculatedValues.13.expression');
});

test('a text of their own that calculated values double forty times is refused at its place', async () => {
  const calculatedValues = Array.from({ length: 40 }, (_, at) => ({
    name: `c${at}`,
    expression: at === 0 ? "'aaaaaaaaaa'" : `{c${at - 1}}+{c${at - 1}}`,
  }));
  const { body } = await ada
    .post('/api/questionnaires', {
      name: 'Growing',
      definition: { elements: [degree], calculatedValues },
      networkSizeQuestion: 'degree',
      takesPartIf: '{c39} = 1',
    })
    .expect(400);
  expect(body.errors[0].path).toBe('definition.calculatedValues.14.expression');
});

test('a circle of texts that grow until the memory is used up is refused, and the service goes on', async () => {
  const twice = (of: string) => `iif({${of}} notempty, {${of}}+{${of}}, 'aaaaaaaa')`;
  const calculatedValues = [
    { name: 'a', expression: twice('b') },
    { name: 'b', expression: twice('a') },
  ];
  const circle = {
    name: 'Circle',
    definition: { elements: [degree], calculatedValues },
    networkSizeQuestion: 'degree',
  };
  const { status, body } = await again(() => ada.post('/api/questionnaires', circle));
  expect(status).toBe(400);
  expect(body.errors).toEqual([{ path: 'definition', ...fault('TOO_LARGE_TO_READ', { most: 192 }) }]);
  expect((await again(() => post([{ type: 'comment', name: 'more' }]))).status).toBe(201);
});

test('refuses a list longer than any question allows before expressions compare it', async () => {
  const many = { type: 'checkbox', name: 'many', choices: choices.slice(0, 500) };
  // Reading it takes a while: on a stalled machine it may pass the limit of time.
  let { status, body } = await post([many]);
  for (let tries = 0; tries < 5 && status !== 201; tries += 1) ({ status, body } = await post([many]));
  expect(status).toBe(201);
  const responses = { degree: 3, many: Array.from({ length: 5_000 }, (_, at) => `k${at}`) };
  const answer = await ada
    .post('/api/surveys', { location: site, questionnaire: body.id, responses })
    .expect(400);
  expect(answer.body.errors[0].path).toBe('responses.many');
});

/** Stands in for the service: gives a validator work for minutes, and prints its process id. */
const HOST = `
  import { execFileSync } from 'node:child_process';
  import { WorkerPool } from './src/lib/worker-pool.ts';
  const from = new URL('src/questionnaires/validator.ts', 'file://' + process.cwd() + '/').href;
  const pool = new WorkerPool({ kind: 'process', from, name: 'validator-process', size: 1, memoryMb: 4000 });
  const keysOf = (elements) =>
    pool.run({ job: { kind: 'keys', definition: JSON.stringify({ pages: [{ name: 'p', elements }] }) }, budgetMs: 600_000 });
  const many = Array.from({ length: 20_000 }, (_, at) => 'choice ' + at);
  const fromMany = Array.from({ length: 200 }, (_, at) => ({ type: 'checkbox', name: 'q' + at, choicesFromQuestion: 'many' }));
  await keysOf([]);
  void keysOf([{ type: 'checkbox', name: 'many', choices: many }, ...fromMany]);
  console.log(execFileSync('pgrep', ['-P', String(process.pid), '-f', 'validator-process']).toString());`;

test('a validator that is busy does not outlive a service that was killed', async () => {
  const service = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', HOST], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(service.stdout, 'data')) as [Buffer];
  const validator = identityOf(Number(said));
  expect(isAlive(validator)).toBe(true);
  service.kill('SIGKILL');
  await once(service, 'exit');
  const killed = Date.now();
  while (isAlive(validator) && Date.now() - killed < 30_000) await sleep(100);
  expect(Date.now() - killed).toBeLessThan(15_000);
});
