/** A simulated study: reproducible by its random seed, answered consistently, and never added to real data. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../../scripts/simulate/client.ts';
import { openStudy } from '../../scripts/simulate/team.ts';
import { makeSurvey } from '../make.ts';
import { startWorld, type World } from '../people.ts';
import { all, answerOf, command, databaseNamed, SLOW, uriOf } from './kit.ts';

let world: World;
let first: Played;
/** Emptied before each test, because creating all collections and indexes takes longer than a small study. */
const PLAYED = `t_${randomUUID().slice(0, 8)}`;
beforeAll(async () => {
  world = await startWorld();
  first = await play('7');
}, SLOW);
afterAll(async () => {
  await databaseNamed(PLAYED).dropDatabase();
  await world.stop();
});

const SMALL = [
  '--population',
  '600',
  '--seeds',
  '4',
  '--respondents',
  '40',
  '--days',
  '5',
  '--offline',
  '0.5',
];

/** Enough to distinguish random seeds. */
const SMALLEST = ['--population', '150', '--seeds', '3', '--respondents', '12', '--days', '3'];

interface Played {
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the tests please
  answer: any;
  surveys: Awaited<ReturnType<typeof all>>;
}

async function play(randomSeed: string, env: NodeJS.ProcessEnv = {}, more: string[] = []): Promise<Played> {
  const db = databaseNamed(PLAYED);
  for (const { name } of await db.listCollections().toArray())
    if (name !== 'migrations') await db.collection(name).deleteMany({});
  const answer = await answerOf('simulate', [...SMALL, '--random-seed', randomSeed, ...more], {
    MONGO_URI: uriOf(PLAYED),
    ...env,
  });
  const surveys = await db.collection('surveys').find().sort({ clientId: 1 }).toArray();
  return { answer, surveys };
}

/** Everything that is random, except what the service generates: ids and codes. */
function tree({ surveys }: Played): unknown[] {
  const names = new Map(surveys.map((survey) => [String(survey._id), survey.clientId]));
  return surveys.map(({ clientId, recruiter, wave, responses, issuedCodes, flags }) => {
    const handed = { codes: issuedCodes.length, flags: flags.map((flag: { code: string }) => flag.code) };
    return { clientId, recruiter: names.get(String(recruiter)) ?? null, wave, responses, ...handed };
  });
}

test(
  'the same random seed gives the same tree and answers, in any time zone; another one does not',
  async () => {
    const one = await play('7', {}, SMALLEST);
    expect(one.surveys.length).toBeGreaterThan(8);
    expect(tree(await play('7', { TIME_ZONE: 'Pacific/Auckland' }, SMALLEST))).toEqual(tree(one));
    expect(tree(await play('8', {}, SMALLEST))).not.toEqual(tree(one));
  },
  SLOW,
);

test(
  'reports the number of interviews and offline interviews',
  () => {
    expect(first.answer.outcome.interviews).toBeGreaterThan(25);
    expect(first.surveys).toHaveLength(first.answer.outcome.interviews);
    expect(first.answer.outcome.heldOffline).toBeGreaterThan(0);
    expect(Math.max(...first.surveys.map((survey) => survey.wave ?? 0))).toBeGreaterThan(1);
  },
  SLOW,
);

test(
  'says why there were fewer interviews than requested',
  () => {
    const { outcome, fewer } = first.answer;
    expect(outcome.interviews).toBeLessThan(40);
    expect(fewer).toBe(
      `${outcome.interviews} of 40 interviews done: the days ended before ${outcome.tooLate} more people came. Use more days or more seeds.`,
    );
  },
  SLOW,
);

test(
  'the simulated truth has the requested traits, listed with the estimates',
  async () => {
    const { answer } = first;
    const [language] = answer.truth.traits;
    expect(answer.truth.people).toBe(600);
    expect(language).toMatchObject({ question: 'language', answer: 'spanish' });
    expect(Math.abs(language.share - 0.3)).toBeLessThan(0.06);
    expect(Math.abs(language.homophily - 0.4)).toBeLessThan(0.1);
    expect(answer.rate.requestsPerSecond).toBeGreaterThan(1);
    const [beside, ...others] = answer.estimates;
    expect(others).toHaveLength(3);
    expect(beside).toMatchObject({ question: 'language', answer: 'spanish', truth: language.share });
    expect(beside.known).toBeGreaterThan(20);
    const spanish = first.surveys.filter(({ responses }) => responses?.language === 'spanish').length;
    expect(beside.unweighted).toBeCloseTo(spanish / beside.known, 12);
    for (const figure of [beside.rds2, beside.ss])
      expect(Math.abs(figure - language.share)).toBeLessThan(0.3);
    expect(beside.low).toBeLessThan(beside.high);
  },
  SLOW,
);

test(
  'reports how many made-up interviews the quality checks find, and their false positives',
  async () => {
    expect(first.answer.quality).toBeNull();
    const more = ['--fabricators', '2', '--respondents', '60', '--offline', '0.1'];
    const { answer, surveys } = await play('7', {}, more);
    const { madeUp, honest, checks, all: any } = answer.quality;
    expect(madeUp.careless).toBeGreaterThan(3);
    expect(madeUp.careful).toBeGreaterThan(0);
    expect(madeUp.careless + madeUp.careful).toBe(answer.outcome.madeUp);
    expect(honest + answer.outcome.madeUp).toBe(surveys.length);
    expect(checks.map(({ check }: { check: string }) => check)).toContain('TOO_FAST');
    expect(any.found.careless).toBeGreaterThan(0.8);
    expect(any.found.careful).toBeLessThan(0.5);
    expect(any.rate).toBeCloseTo((100 * any.falseAlarms) / honest, 10);
    expect(any.rate).toBeLessThan(8);
  },
  SLOW,
);

test(
  'with --url the given tokens’ accounts do the interviews, and one that may read results gives the estimates',
  async () => {
    world.clock.real();
    await world.place();
    const [volunteer, root] = [await world.person(), await world.person({ role: 'SUPER_ADMIN' })];
    const before = (await all('surveys')).length;
    const tokens = ['--token', volunteer.token, '--token', root.token];
    const args = ['--url', world.url, ...tokens, '--respondents', '12', '--population', '300'];
    const { outcome, fewer, truth, estimates } = await answerOf('simulate', args);
    expect([outcome.interviews, fewer]).toEqual([12, null]);
    expect(await all('surveys')).toHaveLength(before + 12);
    expect(estimates).toHaveLength(truth.traits.length);
    for (const [at, { question, answer, share }] of truth.traits.entries()) {
      const path = `/api/analysis/estimates?outcome=${question}&populationSize=300`;
      const { sample, levels } = (await root.get(path).expect(200)).body;
      const level = levels.find(({ value }: { value: string }) => value === answer);
      expect(estimates[at]).toEqual({
        ...{ question, answer, truth: share, known: sample.known, low: null, high: null },
        ...{ unweighted: level?.mean ?? null, rds1: level?.rds1 ?? null },
        ...{ rds2: level?.rds2 ?? null, ss: level?.ss ?? null },
      });
    }
    expect(estimates[0].known).toBeGreaterThan(5);
  },
  SLOW,
);

test('a one-time code that expires in the database before use is requested again', async () => {
  const cleared = new Set<string>();
  const send: Client['send'] = async <T>(...[, path, , body = {}]: Parameters<Client['send']>) => {
    const { phone, code } = body as { phone?: string; code?: string };
    const isFirst = code !== undefined && !cleared.has(path + phone);
    if (isFirst) cleared.add(path + phone);
    return isFirst
      ? { status: 400, body: { code: 'OTP_INVALID' } as T }
      : { status: 200, body: { id: 'x', token: 'signed in', user: { id: 'x' } } as T };
  };
  const must: Client['must'] = async <T>(...args: Parameters<Client['must']>) => {
    const { status, body } = await send<T>(...args);
    if (status === 200) return body;
    throw new Error(`${args[1]}: ${status}`);
  };
  const service = { url: '', codeFor: () => '123456', setNow: () => {}, stop: async () => {} };
  const opening = { client: { requests: 0, send, must }, service, setupToken: '', perSite: 1, study: {} };
  const { root, admin, managers, volunteers } = await openStudy(opening);
  for (const one of [root, admin, ...managers, ...volunteers]) expect(one.token).toBe('signed in');
});

test(
  'a database with data is not changed',
  async () => {
    await makeSurvey(world, await world.person());
    const before = await all('surveys');
    const { code, err } = await command('simulate', SMALL);
    expect(code).toBe(1);
    expect(err).toMatch(/^The database is not empty/);
    expect(await all('surveys')).toEqual(before);
  },
  SLOW,
);

test.each([
  [['--homophily', '2'], /from 0 to 1/],
  [['--respondents', 'many'], /whole number/],
  [['--url', 'http://localhost:1'], /--token/],
  [['--url', 'http://localhost:1', '--token', 'x', '--fabricators', '1'], /--fabricators/],
])(
  'invalid arguments exit with 2 and one line: %j',
  async (args, line) => {
    const { code, err } = await command('simulate', args);
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 2, lines: 1 });
    expect(err).toMatch(line);
  },
  SLOW,
);
