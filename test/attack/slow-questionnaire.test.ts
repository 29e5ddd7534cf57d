/** No questionnaire can block the service for others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Response } from 'supertest';
import { isProcessAlive, processIdentityOf } from '../../src/platform/db/embedded/process-identity.ts';
import { fault } from '../../src/platform/http/problems/error-codes.ts';
import { VALIDATOR_LIMITS } from '../../src/questionnaires/validator/validator.ts';
import { type Person, worldOfFile } from '../people.ts';

let ada: Person;
let site: string;
const world = worldOfFile();
beforeAll(async () => {
  site = await world.place();
  ada = await world.person({ role: 'ADMIN', location: site });
});

const degree = { type: 'text', inputType: 'number', name: 'degree' };
const post = (elements: object[]) =>
  ada.post('/api/questionnaires', {
    name: 'Slow',
    definition: { pages: [{ name: 'p', elements: [degree, ...elements] }] },
    networkSizeQuestion: 'degree',
  });
/** Retries find the work done that was started for them. */
async function again(ask: () => PromiseLike<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await sleep(50);
  }
}
/** Lowers the limit of processor time, at which each of these ends. */
async function withinSeconds<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const before = VALIDATOR_LIMITS.seconds;
  VALIDATOR_LIMITS.seconds = seconds;
  return await work().finally(() => {
    VALIDATOR_LIMITS.seconds = before;
  });
}
const sendWord = (questionnaire: string, word: string) =>
  ada.post('/api/surveys', { location: site, questionnaire, responses: { degree: 3, word } });

test.each(['^(a|a)*$', '^((a+)b?)+$', '^a*a*a*a*a*a*$'])(
  'answers that would take the pattern %s forever are rejected quickly',
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

test('an invalid pattern is rejected with its path, but a stored questionnaire with it still accepts answers', async () => {
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

/** The longest time that the thread for requests was blocked during `work`. */
async function delayOf(work: () => Promise<unknown>): Promise<number> {
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
  ['expands into millions of questions', [nest(4)]],
  [
    'derives hundreds of choice lists from one long list',
    [{ type: 'checkbox', name: 'many', choices }, ...fromAnother],
  ],
])(
  'a questionnaire that %s is rejected while others are served',
  async (_what, elements) => {
    let refused: { status: number; code?: string } | undefined;
    const others: number[] = [];
    const delay = await delayOf(async () => {
      const posted = withinSeconds(1, () => again(() => post(elements))).then(({ status, body }) => {
        refused = { status, code: body.code };
      });
      for (; !refused; await sleep(10)) others.push((await ada.get('/api/study')).status);
      await posted;
    });
    expect(refused).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(new Set(others)).toEqual(new Set([200]));
    expect(others.length).toBeGreaterThan(20);
    // The work took seconds, in a separate process.
    expect(delay).toBeLessThan(1_000);
  },
  120_000,
);

test('answers too slow to validate are rejected while others are validated', async () => {
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
  // The killed process is replaced.
  expect((await answers(undefined, {})).status).toBe(400);
}, 180_000);

test('unfinished interviews and trees by their answers block no one, however large the questionnaire', async () => {
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
  // A busy machine may delay this thread, but not each time.
  for (let tries = 0; tries < 10 && !(Math.min(...times) < 100); tries += 1) {
    const { body, status } = await again(() => post(large));
    expect([status, body.errors]).toEqual([201, undefined]);
    await ada.patch(`/api/questionnaires/${body.id}`, { active: true, confirm: true }).expect(200);
    const survey = { location: site, questionnaire: body.id, status: 'IN_PROGRESS', responses: { q7: 'v3' } };
    const work = async () => {
      await ada.post('/api/surveys', survey).expect(201);
      await ada.get(`/api/recruitment/tree?seed=${seed.id}&question=q7`).expect(200);
    };
    times.push(await delayOf(work));
  }
  expect(Math.min(...times)).toBeLessThan(100);
});

test('calculated values that double an answer twenty times are rejected at their path', async () => {
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

test('calculated values that double a text forty times are rejected at their path', async () => {
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

test('calculated values that grow in a cycle until memory runs out are rejected, and the service continues', async () => {
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

test('an array longer than any question allows is rejected before expressions compare it', async () => {
  const many = { type: 'checkbox', name: 'many', choices: choices.slice(0, 500) };
  // Parsing it takes time: on a stalled machine it may exceed the time limit.
  let { status, body } = await post([many]);
  for (let tries = 0; tries < 5 && status !== 201; tries += 1) ({ status, body } = await post([many]));
  expect(status).toBe(201);
  const responses = { degree: 3, many: Array.from({ length: 5_000 }, (_, at) => `k${at}`) };
  const answer = await ada
    .post('/api/surveys', { location: site, questionnaire: body.id, responses })
    .expect(400);
  expect(answer.body.errors[0].path).toBe('responses.many');
});

test('a questionnaire that costs too much processor time is refused with the reason, and so is the second try', async () => {
  const columns = Array.from({ length: 50 }, (_, at) => ({ name: `c${at}`, cellType: 'text' }));
  const rows = { minRowCount: 1_000, maxRowCount: 1_000 };
  const table = { type: 'matrixdynamic', name: 'table', ...rows, columns };
  await withinSeconds(2, async () => {
    for (const _try of [1, 2]) {
      // On a busy machine the first reply may be 503.
      const { status, body } = await again(() => post([table]));
      expect(status).toBe(400);
      expect(body.errors[0]).toMatchObject({ path: 'definition', code: expect.stringMatching(/^TOO_/) });
    }
  });
}, 180_000);

test('the codebook of a new version counts to what it costs, and is stored with it', async () => {
  const some = choices.slice(0, 50);
  const several = Array.from({ length: 40 }, (_, at) => ({
    type: 'radiogroup',
    name: `r${at}`,
    choices: some,
  }));
  const { status, body } = await again(() => post(several));
  expect([status, body.errors]).toEqual([201, undefined]);
  const _id = new mongoose.Types.ObjectId(body.id as string);
  const stored = await mongoose.connection.collection('questionnaires').findOne({ _id });
  expect(stored?.codebook.countables).toHaveLength(41);
}, 120_000);

/** Replaces the service: gives a validator work for minutes, and prints its process id. */
const HOST = `
  import { execFileSync } from 'node:child_process';
  import { WorkerPool } from './src/platform/lib/workers/worker-pool.ts';
  const from = new URL('src/questionnaires/validator/validator.ts', 'file://' + process.cwd() + '/').href;
  const pool = new WorkerPool({ kind: 'process', from, name: 'validator-process', size: 1, memoryMb: 4000 });
  const keysOf = (elements) =>
    pool.run({ job: { kind: 'keys', definition: JSON.stringify({ pages: [{ name: 'p', elements }] }) }, budgetMs: 600_000 });
  const many = Array.from({ length: 20_000 }, (_, at) => 'choice ' + at);
  const fromMany = Array.from({ length: 200 }, (_, at) => ({ type: 'checkbox', name: 'q' + at, choicesFromQuestion: 'many' }));
  await keysOf([]);
  void keysOf([{ type: 'checkbox', name: 'many', choices: many }, ...fromMany]);
  console.log(execFileSync('pgrep', ['-P', String(process.pid), '-f', 'validator-process']).toString());`;

test('a busy validator ends when its service is killed', async () => {
  const service = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', HOST], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(service.stdout, 'data')) as [Buffer];
  const validator = processIdentityOf(Number(output));
  expect(isProcessAlive(validator)).toBe(true);
  service.kill('SIGKILL');
  await once(service, 'exit');
  const killed = Date.now();
  while (isProcessAlive(validator) && Date.now() - killed < 30_000) await sleep(100);
  expect(Date.now() - killed).toBeLessThan(15_000);
});
