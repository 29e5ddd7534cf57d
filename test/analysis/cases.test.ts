/** Small samples with results calculated by hand, and samples without any result. */

import { readFileSync } from 'node:fs';
import { randomStream } from '../../src/statistics/estimators/draws/random.ts';
import { quantileOfSorted } from '../../src/statistics/estimators/quantile.ts';
import { analyseSample } from '../../src/statistics/estimators/results.ts';
import {
  imputedNetworkSizes,
  MAX_NETWORK_SIZE,
  MIN_NETWORK_SIZE,
} from '../../src/statistics/estimators/sample/sample.ts';
import { parseSampleFile } from '../../src/statistics/estimators/sample/sample-file.ts';
import { roundedRandomlyToTotal } from '../../src/statistics/estimators/successive-sampling.ts';
import { ask, QUESTION, sampleOf } from './kit.ts';

test('estimates of ten people in two chains match a calculation by hand', () => {
  const sample = sampleOf(
    ['0', '1', '1', '2', '2', '3', '0', '7', '7', '8'],
    [2, 4, 4, 5, 10, 8, 4, 2, 5, 10],
  );
  const results = ask(sample, ['a', 'b', 'a', 'b', 'a', 'a', 'b', 'b', 'a', 'b']);
  expect(results).toMatchObject({
    n: 10,
    seeds: 2,
    maxWave: 2,
    byWave: [2, 4, 4],
    treeSizes: { 1: 6, 7: 4 },
  });
  const y = results.outcomes.y!;
  expect(y.transitions).toEqual({ a: { a: 2, b: 1 }, b: { a: 2, b: 3 } });
  expect(y.stationary?.a).toBeCloseTo(6 / 11, 12);
  expect(y.rdsI?.a).toBeCloseTo(0.52029520295203, 12);
  // 1/2 + 1/4 + 1/10 + 1/8 + 1/5 of 2.475.
  expect(y.rdsII?.a).toBeCloseTo(1.175 / 2.475, 12);
});

test('the order of rows does not change the tree', () => {
  const sample = sampleOf(['2', '4', '1', '0', '1'], [3, 3, 3, 3, 3], ['4', '5', '2', '1', '3']);
  expect(ask(sample, ['a', 'a', 'b', 'b', 'b'])).toMatchObject({ byWave: [1, 2, 1, 1], seeds: 1 });
});

test('a missing or zero network size is ranked as the largest', () => {
  const sample = sampleOf(['0', '1', '1', '2', '2', '3', '3', '4'], [1, 2, 3, 0, null, 6, 7, 8]);
  const y = ask(sample, ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']).outcomes.y!;
  expect(y.rdsI?.a).toBeCloseTo(0.538, 12);
  expect(y.rdsII?.a).toBeCloseTo(0.635933806146572, 12);
});

test('an impossible network size counts as missing, so that successive sampling ends', () => {
  expect([...imputedNetworkSizes(Float64Array.of(5e-324, 3, 1e300, 2))]).toEqual([3, 3, 3, 2]);
});

test('successive sampling ends with the smallest and largest sizes in one sample', () => {
  const sample = sampleOf(
    ['0', '1', '1', '2', '2', '3'],
    [MIN_NETWORK_SIZE, MAX_NETWORK_SIZE, 1, 1e6, 0.1, MIN_NETWORK_SIZE],
  );
  for (const population of [7, 1000, 1e9]) {
    const y = ask(sample, ['a', 'b', 'a', 'b', 'a', 'b'], { population, method: 'gile' }).outcomes.y!;
    expect((y.ss?.a ?? 0) + (y.ss?.b ?? 0)).toBeCloseTo(1, 12);
    expect(y.bootstrap?.gile?.ss?.a?.se).toBeGreaterThanOrEqual(0);
  }
});

test('missing answers are excluded, and RDS-I is 100 % for a level that recruits only itself', () => {
  const sample = sampleOf(['0', '1', '1', '2', '2', '3', '3', '4'], [1, 2, 3, 4, 5, 6, 7, 8]);
  const y = ask(sample, ['a', null, 'a', 'b', 'a', 'b', null, 'b']).outcomes.y!;
  expect(y).toMatchObject({ known: 6, missing: 2, rdsI: { a: 0, b: 1 } });
  expect(y.rdsII?.a).toBeCloseTo(0.738955823293173, 12);
});

test('RDS-I of a number with at most three values uses the values themselves', () => {
  // Two thirds answer 0, so that terciles would merge 1 and 2.
  const values = [0, 0, 1, 0, 2, 0, 0, 1, 2, 0, 0, 0];
  const sample = sampleOf(
    ['0', '1', '1', '2', '2', '3', '5', '5', '6', '8', '9', '9'],
    [2, 4, 9, 5, 20, 8, 4, 7, 15, 3, 6, 5],
  );
  const x = { kind: 'NUMBER' as const, values: Float64Array.from(values) };
  const { y } = ask(sample, values.map(String)).outcomes;
  const result = analyseSample('', sample, { x }, QUESTION).outcomes.x;
  expect(result?.groupsFrom).toEqual([0, 1, 2]);
  const shares = y?.rdsI as Record<string, number>;
  expect(result?.rdsI?.mean).toBeCloseTo(shares['1']! + 2 * shares['2']!, 12);
});

test('RDS-I of a number with three values agrees with base R for 240 respondents', () => {
  const columns = { id: 'id', recruiter: 'recruiter_id', size: 'network_size', time: 'recruited_at_min' };
  const { sample, outcome } = parseSampleFile(
    readFileSync('test/analysis/data/edge240.csv', 'utf8'),
    columns,
  );
  const score = outcome('score', 'number');
  if (score?.kind !== 'NUMBER') throw new Error('There is no score.');
  const values = score.values.map((value) =>
    Number.isNaN(value) ? value : value < 45 ? 0 : value < 50 ? 1 : 2,
  );
  const result = analyseSample('', sample, { x: { kind: 'NUMBER', values } }, QUESTION).outcomes.x;
  expect(result?.groupsFrom).toEqual([0, 1, 2]);
  // By table(), eigen() and tapply() of R 4.2.2.
  expect(result?.rdsI?.mean).toBeCloseTo(0.503700175918587, 12);
});

test('with seeds only there is no RDS-I', () => {
  const y = ask(sampleOf(['0', '0', '0', '0'], [2, 4, 3, 5]), ['a', 'b', 'a', 'b']).outcomes.y!;
  expect([y.stationary, y.rdsI, y.rdsIReason]).toEqual([null, null, 'NO_RECRUITS']);
});

test.each([
  [
    'groups that never reach each other',
    ['0', '1', '1', '2', '0', '5'],
    ['a', 'a', 'a', 'a', 'b', 'b'],
    'NOT_CONNECTED',
  ],
  ['strict alternation', ['0', '1', '1', '2', '3', '4'], ['a', 'b', 'b', 'a', 'a', 'b'], 'PERIODIC'],
])('%s: RDS-I is null with a reason, RDS-II is not', (_, recruiters, answers, reason) => {
  const y = ask(sampleOf(recruiters, [2, 3, 4, 5, 6, 7]), answers).outcomes.y!;
  expect(y).toMatchObject({ rdsI: null, rdsIReason: reason });
  expect(y.rdsII!.a! + y.rdsII!.b!).toBeCloseTo(1, 12);
});

test('three levels in a recruitment cycle have an estimate', () => {
  const y = ask(sampleOf(['0', '1', '2', '3', '4', '5'], [1, 1, 1, 1, 1, 1]), ['a', 'b', 'c', 'a', 'b', 'c'])
    .outcomes.y!;
  expect(y.rdsI?.a).toBeCloseTo(1 / 3, 12);
});

test('a single level has share 1 and no homophily', () => {
  const y = ask(sampleOf(['0', '1', '1'], [2, 3, 4]), ['a', 'a', 'a']).outcomes.y!;
  expect(y).toMatchObject({
    rdsI: { a: 1 },
    rdsII: { a: 1 },
    recruitmentHomophily: null,
    populationHomophily: { rdsII: { a: null } },
  });
});

test('an outcome without answers is null everywhere, never NaN', () => {
  const results = ask(sampleOf(['0', '1', '1'], [2, 3, 4]), [null, null, null], {
    population: 10,
    method: 'tree',
  });
  expect(results.outcomes.y).toMatchObject({
    known: 0,
    missing: 3,
    naive: null,
    rdsI: null,
    rdsII: null,
    ss: null,
  });
  expect(JSON.stringify(results)).not.toContain('NaN');
});

test('a population smaller than the sample gives no replicates, and a census makes SS the unweighted share', () => {
  const sample = sampleOf(['0', '1', '1', '2'], [1, 5, 3, 2]);
  expect(ask(sample, ['a', 'b', 'a', 'b'], { population: 4 }).outcomes.y?.ss).toEqual({ a: 0.5, b: 0.5 });
  expect(ask(sample, ['a', 'b', 'a', 'b'], { population: 3, method: 'gile' }).outcomes.y?.ss).toBeNull();
});

test('one chain without branches has no interval', () => {
  for (const recruiters of [['0'], ['0', '1', '2', '3']]) {
    const answers = ['a', 'b', 'b', 'a'].slice(0, recruiters.length);
    const y = ask(sampleOf(recruiters, [7, 3, 5, 11].slice(0, recruiters.length)), answers, {
      method: 'tree',
    });
    expect(y.outcomes.y?.rdsII?.a).toBeGreaterThan(0);
    expect(y.outcomes.y?.bootstrap?.tree?.rdsII?.a).toBeNull();
  }
});

test('rounding to a total rounds half to even and corrects the rest by one', () => {
  const random = randomStream(1);
  expect([...roundedRandomlyToTotal(Float64Array.of(0.5, 1.5, 2.5, 3.5), 8, 0, random)]).toEqual([
    0, 2, 2, 4,
  ]);
  expect([...roundedRandomlyToTotal(Float64Array.of(0.1, 0.1, 9.8), 10, 1, random)]).toEqual([1, 1, 8]);
  const thirds = roundedRandomlyToTotal(new Float64Array(3).fill(10 / 3), 10, 0, random);
  expect([...thirds].sort()).toEqual([3, 3, 4]);
});

test('quantiles are type 7, also with infinite values', () => {
  expect(quantileOfSorted([1, 2, 3, 4], 0.25)).toBe(1.75);
  expect(quantileOfSorted([1, Infinity, Infinity], 0.75)).toBe(Infinity);
  expect(quantileOfSorted([], 0.5)).toBeNull();
});

test('homophily is correct if one level weighs a billion times as much as the other', () => {
  // A person of size 1 recruits one of the same size and one of size 10^9, who recruits one of each.
  const sample = sampleOf(['0', '1', '1', '3', '3'], [1, 1, 1e9, 1, 1e9]);
  const y = ask(sample, ['a', 'a', 'b', 'a', 'b']).outcomes.y!;
  // p = 1 / (1 + 10^-9), m = 2 p, and half of the ties are across: 2 p (1 - p) 10^9 / (m m / 2) is 1.
  expect(y.populationHomophily?.rdsII?.a).toBeCloseTo(1, 12);
});
