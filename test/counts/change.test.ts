/** The change of an outcome and of a count between two rounds. */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { ROUND_COMPARISON_LIMITS } from '../../src/statistics/change/change.ts';
import { comparabilityOf } from '../../src/statistics/change/comparability.ts';
import { changeSentence, countChangeSentence } from '../../src/statistics/change/sentence.ts';
import { startJobs } from '../../src/statistics/runs/jobs.ts';
import { AnalysisRunModel } from '../../src/statistics/runs/model.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import type { Body } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { LATER } from '../sample/simulated.ts';
import { COUNTS, insertStudy, makeCount } from './world.ts';

let root: Person;
let admin: Person;
let later: string;
const first = FIRST_ROUND_ID.toHexString();

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set(LATER);
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  const people = await insertStudy(root, [await world.place(), await world.place()]);
  await root.post(`/api/rounds/${first}/close`, {}).expect(200);
  later = (await root.post('/api/rounds', { name: 'Round 2', startsOn: '2027-12-01' }).expect(201)).body.id;
  // Every second chain is of the second round.
  const surveys = mongoose.connection.collection('surveys');
  const seeds = (await surveys.distinct('seed')).slice(0, 3);
  await surveys.updateMany({ seed: { $in: seeds } }, { $set: { round: new mongoose.Types.ObjectId(later) } });
  await surveys.updateMany({ seed: { $nin: seeds } }, { $set: { round: FIRST_ROUND_ID } });
  expect(people.length).toBe(200);
});

const change = async (outcome: string, by = root): Promise<Body> =>
  (await by.get(`/api/analysis/change?outcome=${outcome}&from=${first}&to=${later}`).expect(200)).body;

async function untilRunsEnd(): Promise<void> {
  const jobs = startJobs({ timeZone: 'UTC', secret: 'any', log: world.deps.log }, { pollMs: 100 });
  try {
    for (let tries = 0; tries < 600; tries++) {
      if ((await AnalysisRunModel.countDocuments({ state: { $in: ['WAITING', 'RUNNING'] } })) === 0) return;
      await sleep(50);
    }
    throw new Error('the runs never end');
  } finally {
    await jobs.stop();
  }
}

test('a change is the later share less the earlier one, with an interval of its own', async () => {
  const { levels, comparability, rounds, runs } = await change('countServiceUsed');
  expect(rounds.to.name).toBe('Round 2');
  expect(runs).toBeNull();
  const yes = levels.find(({ value }: Body) => value === 'yes');
  expect(yes.difference.estimate).toBeCloseTo(yes.to.estimate - yes.from.estimate, 12);
  expect(yes.difference.low).toBeLessThan(yes.difference.estimate);
  expect(yes.difference.high).toBeGreaterThan(yes.difference.estimate);
  expect(yes.difference.cautiousLow).not.toBeNull();
  expect(yes.sentence).toContain('From Round 1 to Round 2 the share');
  const no = levels.find(({ value }: Body) => value === 'no');
  expect(no.difference.estimate).toBeCloseTo(-yes.difference.estimate, 12);
  expect(comparability.every(({ code, message }: Body) => code && message)).toBe(true);
});

test('which interval comes first is known without a run', async () => {
  const { first, basis } = await change('countServiceUsed');
  expect(['CHAIN', 'TREE']).toContain(first);
  expect(basis).toBe('REPLICATES');
});

test('samples too large to calculate at once have the estimates, and intervals once both rounds have runs', async () => {
  ROUND_COMPARISON_LIMITS.cells = 100;
  try {
    const before = await change('countServiceUsed');
    expect(before).toMatchObject({ basis: 'INTERVALS', first: null, runs: null });
    const yes = before.levels.find(({ value }: Body) => value === 'yes');
    expect(yes.difference).toMatchObject({ low: null, high: null, cautiousLow: null, cautiousHigh: null });
    expect(yes.difference.estimate).toBeCloseTo(yes.to.estimate - yes.from.estimate, 12);
    for (const round of [first, later])
      for (const method of ['CHAIN', 'TREE'])
        await root.post('/api/analysis/runs', { outcome: 'countServiceUsed', method, round }).expect(202);
    await untilRunsEnd();
    const after = await change('countServiceUsed');
    expect(after.runs).not.toBeNull();
    expect(['CHAIN', 'TREE']).toContain(after.first);
    const [from, to] = await Promise.all(
      [first, later].map(async (round) => {
        const path = `/api/analysis/estimates?outcome=countServiceUsed&round=${round}`;
        const { levels } = (await root.get(path).expect(200)).body;
        return levels.find(({ value }: Body) => value === 'yes');
      }),
    );
    const { difference } = after.levels.find(({ value }: Body) => value === 'yes');
    const low = Math.hypot(to.rds2 - to.interval.low, from.interval.high - from.rds2);
    expect(difference.low).toBeCloseTo(to.rds2 - from.rds2 - low, 12);
    expect(difference.cautiousHigh - difference.cautiousLow).toBeGreaterThan(
      difference.high - difference.low,
    );
  } finally {
    ROUND_COMPARISON_LIMITS.cells = 100_000;
  }
});

test('the standardized change of large samples has an interval from runs that standardize to the same sites', async () => {
  const locations = (await root.get('/api/locations').expect(200)).body.data as Body[];
  const siteSizes = locations.map(({ id }, at) => ({
    location: id,
    size: 100 + 50 * at,
    source: 'Bed list',
  }));
  await root.patch('/api/study', { siteSizes }).expect(200);
  ROUND_COMPARISON_LIMITS.cells = 100;
  try {
    const yesOf = ({ levels }: Body) => levels.find(({ value }: Body) => value === 'yes');
    const before = await change('countServiceUsed');
    expect(before.standardised.shares).toBe('STUDY');
    expect(yesOf(before.standardised).difference).toMatchObject({ low: null, high: null });
    for (const round of [first, later])
      await root
        .post('/api/analysis/runs', { outcome: 'countServiceUsed', method: 'CHAIN', round })
        .expect(202);
    await untilRunsEnd();
    const [from, to] = await Promise.all(
      [first, later].map(async (round) => {
        const path = `/api/analysis/estimates?outcome=countServiceUsed&round=${round}`;
        return yesOf((await root.get(path).expect(200)).body.standardised);
      }),
    );
    const { difference } = yesOf((await change('countServiceUsed')).standardised);
    expect(difference.estimate).toBeCloseTo(to.estimate - from.estimate, 12);
    const below = Math.hypot(to.estimate - to.low, from.high - from.estimate);
    expect(difference.low).toBeCloseTo(difference.estimate - below, 12);
    expect(difference.high).toBeGreaterThan(difference.estimate);
    // The runs standardized to other sizes.
    await root.patch('/api/study', { siteSizes: siteSizes.map((one) => ({ ...one, size: 70 })) }).expect(200);
    expect(yesOf((await change('countServiceUsed')).standardised).difference.low).toBeNull();
  } finally {
    ROUND_COMPARISON_LIMITS.cells = 100_000;
    await root.patch('/api/study', { siteSizes: [] }).expect(200);
  }
});

test('a closed round keeps its interview mode, and a round from before that setting has none', async () => {
  await root.patch('/api/study', { interviewMode: 'PHONE' }).expect(200);
  const codes = async () => (await change('countServiceUsed')).comparability.map(({ code }: Body) => code);
  expect(await codes()).not.toContain('MODE');
  const rounds = mongoose.connection.collection('rounds');
  await rounds.updateOne({ _id: FIRST_ROUND_ID }, { $set: { 'settings.interviewMode': 'IN_PERSON' } });
  expect(await codes()).toContain('MODE');
});

test('a closed round keeps the sizes of sites that it was closed with, and one without takes those of the study', async () => {
  const locations = (await root.get('/api/locations').expect(200)).body.data as Body[];
  const sized = (size: number) =>
    locations.map(({ id }, at) => ({ location: id, size: size + at, source: 'Bed list' }));
  const sizesIn = async (round: string) => {
    const path = `/api/analysis/estimates?outcome=countServiceUsed&round=${round}`;
    const { sites } = (await root.get(path).expect(200)).body.standardised;
    return sites.map(({ size }: Body) => size).sort((a: number, b: number) => a - b);
  };
  const rounds = mongoose.connection.collection('rounds');
  await root.patch('/api/study', { siteSizes: sized(300) }).expect(200);
  try {
    expect(await sizesIn(first)).toEqual([300, 301]);
    await rounds.updateOne({ _id: FIRST_ROUND_ID }, { $set: { 'settings.siteSizes': sized(70) } });
    await root.patch('/api/study', { siteSizes: sized(400) }).expect(200);
    expect(await sizesIn(first)).toEqual([70, 71]);
    expect(await sizesIn(later)).toEqual([400, 401]);
  } finally {
    await rounds.updateOne({ _id: FIRST_ROUND_ID }, { $set: { 'settings.siteSizes': [] } });
    await root.patch('/api/study', { siteSizes: [] }).expect(200);
  }
});

test('a change is standardized to the same share of each site in both rounds', async () => {
  const { standardised } = await change('countServiceUsed');
  expect(standardised.shares).toBe(first);
  const [no, yes] = standardised.levels;
  expect(yes.difference.estimate).toBeCloseTo(-no.difference.estimate, 9);
});

test('an admin is not shown the change of a level that few people gave in one of the rounds', async () => {
  const { levels, standardised } = await change('veteran', admin);
  const hidden = levels.filter((level: Body) => level.hidden);
  expect(hidden.length).toBeGreaterThan(1);
  for (const { difference, sentence } of hidden) {
    expect(difference.estimate).toBeNull();
    expect(sentence).toBeNull();
  }
  for (const { value, difference } of standardised.levels)
    if (hidden.some((one: Body) => one.value === value)) expect(difference.estimate).toBeNull();
});

test('an unknown round or outcome is refused', async () => {
  const path = (outcome: string, to: string) =>
    `/api/analysis/change?outcome=${outcome}&from=${first}&to=${to}`;
  const { body } = await root.get(path('countServiceUsed', 'f'.repeat(24))).expect(400);
  expect(body.errors).toMatchObject([{ path: 'to', code: 'UNKNOWN_ROUND' }]);
  await root.get(path('nothing', later)).expect(400);
});

test('a round is not compared with itself', async () => {
  const { body } = await root
    .get(`/api/analysis/change?outcome=countServiceUsed&from=${first}&to=${first}`)
    .expect(400);
  expect(body.errors).toMatchObject([{ path: 'to', code: 'SAME_ROUND' }]);
});

test('the change of a count has both totals in whole numbers, their exact difference, and their ratio', async () => {
  const from = await makeCount(root, { round: first });
  const to = await makeCount(root, { round: later, name: 'Count of the next night' });
  const { body } = await root.get(`${COUNTS}/${from}/change?with=${to}`).expect(200);
  const { difference, ratio } = body;
  for (const { estimate, low, high } of [body.from.total, body.to.total, difference])
    expect([estimate, low, high].every(Number.isInteger)).toBe(true);
  expect(difference.estimate).toBe(body.to.total.estimate - body.from.total.estimate);
  expect(ratio.estimate).toBeCloseTo(body.to.total.estimate / body.from.total.estimate, 9);
  expect(ratio.low).toBeLessThanOrEqual(ratio.estimate);
  expect(body.sentence).toContain('the number of adults');
  for (const [total, words] of [
    ['persons', 'persons'],
    ['households', 'households'],
  ] as const) {
    const one = body[total];
    expect(one.difference.estimate).toBe(one.to.estimate - one.from.estimate);
    expect(one.difference.low).toBeLessThan(one.difference.high);
    expect(one.ratio.low).toBeLessThan(one.ratio.high);
    expect(one.sentence).toContain(`the number of ${words}`);
  }
  expect(body.persons.to.estimate).toBeGreaterThan(body.to.total.estimate);
  expect(body.households.to.estimate).toBeLessThan(body.to.total.estimate);
  expect(body.rounds).toMatchObject({ from: { name: 'Round 1' }, to: { name: 'Round 2' } });
  await root.get(`${COUNTS}/${from}/change?with=${from}`).expect(400);
});

test('a count of all sites is not compared with a count of one', async () => {
  const { body: sites } = await root.get('/api/locations').expect(200);
  const from = await makeCount(root, { round: first });
  const to = await makeCount(root, { round: later, location: sites.data[0].id });
  for (const [one, other] of [
    [from, to],
    [to, from],
  ] as const) {
    const { body } = await root.get(`${COUNTS}/${one}/change?with=${other}`).expect(400);
    expect(body.errors).toMatchObject([{ path: 'with', code: 'OTHER_SITE' }]);
  }
});

const CHANGED = {
  confidence: 0.95,
  kind: 'CATEGORY',
  from: '2024',
  to: '2026',
  difference: 0.06,
  low: -0.02,
  high: 0.14,
} as const;
test.each([
  [
    {},
    'From 2024 to 2026 the estimate of the share rose by 6 points (95% CI -2 to 14): the samples do not show whether the share rose or fell.',
  ],
  [
    { low: 0.01 },
    'From 2024 to 2026 the share rose by 6 points (95% CI 1 to 14): the samples show that it rose.',
  ],
  [
    { difference: -0.06, low: -0.14, high: -0.01 },
    'From 2024 to 2026 the share fell by 6 points (95% CI -14 to -1): the samples show that it fell.',
  ],
  [
    { low: 0.004 },
    'From 2024 to 2026 the share rose by 6 points (95% CI 0.4 to 14): the samples show that it rose.',
  ],
  [
    { difference: -0.06, low: -0.14, high: -0.0004 },
    'From 2024 to 2026 the share fell by 6 points (95% CI -14 to -0.04): the samples show that it fell.',
  ],
  [
    { difference: 0.004, low: 0.002, high: 0.02 },
    'From 2024 to 2026 the share rose by 0.4 points (95% CI 0.2 to 2): the samples show that it rose.',
  ],
  [
    { difference: 0.004, low: -0.004, high: 0.014 },
    'From 2024 to 2026 the estimate of the share did not change (95% CI 0 to 1): the samples do not show whether the share rose or fell.',
  ],
  [
    { low: null },
    'From 2024 to 2026 the estimate of the share rose by 6 points. There is no interval for this change.',
  ],
  [
    { difference: -0.004 },
    'From 2024 to 2026 the estimate of the share did not change (95% CI -2 to 14): the samples do not show whether the share rose or fell.',
  ],
])('the sentence for %p is: %s', (more, words) => {
  expect(changeSentence({ ...CHANGED, ...more })).toBe(words);
});

test('there is no change if the number of people is the same in both rounds', () => {
  const { from, to, confidence } = CHANGED;
  const about = { from, to, confidence, difference: 0.2, low: -1200.4, high: 1300 };
  expect(countChangeSentence('adults', about)).toBe(
    'From 2024 to 2026 the estimate of the number of adults did not change (95% CI -1,200 to 1,300): the samples do not show whether the number rose or fell.',
  );
});

const ROUND = {
  title: { en: 'Where?' },
  choices: ['a', 'b'],
  sizeQuestion: { en: 'How many?' },
  eligibility: ['{adult} = 1'],
  sites: new Map([
    ['north', 0.5],
    ['south', 0.5],
  ]),
  couponsPerSurvey: 3,
  incentives: 'null',
  mode: 'IN_PERSON' as const,
  startsOn: '2026-01-20',
};
test.each([
  [{}, []],
  [{ title: { en: 'Where now?' } }, ['QUESTION_TEXT']],
  [{ title: { es: '¿Dónde?' } }, []],
  [{ choices: ['b', 'a'] }, []],
  [{ choices: ['a'] }, ['CHOICES']],
  [{ eligibility: ['{adult} = 2'] }, ['ELIGIBILITY']],
  [{ sizeQuestion: { en: 'How many friends?' } }, ['SIZE_QUESTION']],
  [
    {
      sites: new Map([
        ['north', 0.55],
        ['south', 0.45],
      ]),
    },
    [],
  ],
  [
    {
      sites: new Map([
        ['north', 0.7],
        ['south', 0.3],
      ]),
    },
    ['SITES'],
  ],
  [{ couponsPerSurvey: 2 }, ['COUPONS']],
  [{ incentives: '{}' }, ['INCENTIVES']],
  [{ startsOn: '2028-12-20' }, []],
  [{ startsOn: '2028-06-20' }, ['SEASON']],
  [{ mode: 'PHONE' as const }, ['MODE']],
  [{ mode: null }, []],
])('rounds that differ by %p have the findings %p', (more, codes) => {
  expect(comparabilityOf(ROUND, { ...ROUND, ...more }).map(({ code }) => code)).toEqual(codes);
});
