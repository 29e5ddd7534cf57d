/**
 * CHAIN and what decides which interval comes first, against numbers of another program for 240 respondents
 * (test/analysis/data): exact ones to 1e-9, those of replicates within their Monte Carlo error. Other figures are
 * calculated a second time here, slowly and as the definitions say.
 */
import { readFileSync } from 'node:fs';
import {
  chainBootstrap,
  drawChainReplicate,
  recruitPoolsByClass,
} from '../../src/statistics/estimators/bootstrap/bootstrap-chain.ts';
import { testChainDifference } from '../../src/statistics/estimators/chains-differ.ts';
import { differenceInterval, differenceOfIntervals } from '../../src/statistics/estimators/difference.ts';
import { errorByChainDistance } from '../../src/statistics/estimators/distance.ts';
import { groupIntervals } from '../../src/statistics/estimators/group-intervals.ts';
import {
  type CategoryOutcome,
  outcomeVariablesOf,
  rowsHavingAnswer,
  toCategoryOutcome,
} from '../../src/statistics/estimators/outcome.ts';
import { quantileOfSorted, standardDeviation } from '../../src/statistics/estimators/quantile.ts';
import { imputedNetworkSizes, recruitmentTree } from '../../src/statistics/estimators/sample/sample.ts';
import { parseSampleFile } from '../../src/statistics/estimators/sample/sample-file.ts';
import { type SitePopulations, standardizedEstimate } from '../../src/statistics/estimators/standardized.ts';
import { rds2Weights, weightedEstimateOf } from '../../src/statistics/estimators/weights.ts';

interface Drawn {
  mean: number;
  sd: number;
  q025: number;
  q975: number;
}
interface ReferenceLevel {
  rdsII: number;
  distance: Record<string, number>;
  chain: Drawn;
  chainByRegion: Drawn & { estimate: number };
}
const read = (name: string) => readFileSync(`test/analysis/data/${name}`, 'utf8');
const expected = (JSON.parse(read('edge240.intervals.json')) as { status: Record<string, ReferenceLevel> })
  .status;
const file = parseSampleFile(read('edge240.csv'), {
  id: 'id',
  recruiter: 'recruiter_id',
  size: 'network_size',
  time: 'recruited_at_min',
});
const { recruiters } = file.sample;
const tree = recruitmentTree(recruiters);
const weights = rds2Weights(imputedNetworkSizes(file.sample.reportedSizes));
const [status, region] = ['status', 'region'].map((name) => file.outcome(name)) as [
  CategoryOutcome,
  CategoryOutcome,
];
/** The other program leaves out whoever has no region. */
const statusWithRegion: CategoryOutcome = {
  ...status,
  codes: status.codes.map((code, i) => (region.codes[i]! < 0 ? -1 : code)),
};
const even = region.levels.map(() => ({ size: 1, low: 1, high: 1 }));
const sites: SitePopulations = { codes: region.codes, people: even };
const SAMPLES = 20_000;

/** Both are of 20,000 replicates: five standard deviations of their difference. */
function agrees(replicates: Float64Array, reference: Drawn): void {
  const sorted = replicates.slice().sort();
  const error = reference.sd * Math.sqrt(2 / SAMPLES);
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  expect(Math.abs(mean - reference.mean)).toBeLessThan(5 * error);
  expect(Math.abs(standardDeviation(sorted)! - reference.sd)).toBeLessThan((5 * error) / Math.sqrt(2));
  // The error of an outer percentile is 2.7 times that of the mean.
  expect(Math.abs(quantileOfSorted(sorted, 0.025)! - reference.q025)).toBeLessThan(13.5 * error);
  expect(Math.abs(quantileOfSorted(sorted, 0.975)! - reference.q975)).toBeLessThan(13.5 * error);
}

test('CHAIN with classes by answer agrees with the reference', () => {
  const run = { samples: SAMPLES, seed: 1 };
  const [replicates] = chainBootstrap({ recruiters, tree, weights, sites: null }, [status], run);
  expect(replicates!.dropped).toBe(0);
  for (const [at, level] of status.levels.entries()) agrees(replicates!.figures[at]!, expected[level]!.chain);
});

test('CHAIN with classes by answer and site agrees with the reference', () => {
  const run = { samples: SAMPLES, seed: 2 };
  const of = { recruiters, tree, weights, sites: { ...sites, people: null } };
  const [replicates] = chainBootstrap(of, [statusWithRegion], run);
  const figures = weightedEstimateOf(statusWithRegion, weights)!;
  for (const [at, level] of status.levels.entries()) {
    agrees(replicates!.figures[at]!, expected[level]!.chainByRegion);
    expect(Math.abs(figures[at]! - expected[level]!.chainByRegion.estimate)).toBeLessThan(1e-9);
  }
});

test('the error by distance agrees with the reference', () => {
  for (const [at, variable] of outcomeVariablesOf(status).entries()) {
    const reference = expected[status.levels[at]!]!;
    const distance = errorByChainDistance(variable, tree, weights) as unknown as Record<string, number>;
    for (const [name, value] of Object.entries(reference.distance))
      expect({ name, gap: Math.abs(distance[name]! - value) < 1e-9 }).toEqual({ name, gap: true });
    expect(Math.abs(weightedEstimateOf(status, weights)![at]! - reference.rdsII)).toBeLessThan(1e-9);
  }
});

/** Steps between two people of one tree; null between trees. */
function stepsBetween(a: number, b: number): number | null {
  const above = (row: number) => {
    const line = [row];
    for (let at = recruiters[row]!; at >= 0; at = recruiters[at]!) line.push(at);
    return line;
  };
  const [one, other] = [above(a), above(b)];
  const meets = one.findIndex((row) => other.includes(row));
  return meets < 0 ? null : meets + other.indexOf(one[meets]!);
}

test('the error by distance of a number is the sum over all pairs', () => {
  const [score] = outcomeVariablesOf(file.outcome('score')!);
  const distance = errorByChainDistance(score!, tree, weights)!;
  const rows = [...rowsHavingAnswer(score!)];
  const total = rows.reduce((sum, i) => sum + weights[i]!, 0);
  const share = (i: number) => weights[i]! / total;
  const mean = rows.reduce((sum, i) => sum + share(i) * score!.values[i]!, 0);
  const variance = rows.reduce((sum, i) => sum + share(i) * (score!.values[i]! - mean) ** 2, 0);
  let factor = 0;
  for (const i of rows)
    for (const j of rows) {
      const steps = stepsBetween(i, j);
      const likeness = steps === null ? 0 : steps === 0 ? 1 : distance.scale * distance.lambda ** steps;
      factor += share(i) * share(j) * likeness;
    }
  expect(distance.estimate).toBeCloseTo(mean, 9);
  expect(distance.standardError).toBeCloseTo(Math.sqrt(variance * factor), 9);
});

test('the statistic for differing chains is the weighted sum of squares of their estimates', () => {
  const [variable] = outcomeVariablesOf(status);
  const difference = testChainDifference(variable!, tree, weights, 0.05)!;
  const rows = [...rowsHavingAnswer(variable!)];
  const chains = [...tree.seeds].map((seed) => rows.filter((i) => tree.seedOf[i] === seed));
  const figures = chains.map(
    (chain) =>
      chain.reduce((sum, i) => sum + weights[i]! * variable!.values[i]!, 0) /
      chain.reduce((sum, i) => sum + weights[i]!, 0),
  );
  const middle = figures.reduce((sum, one, at) => sum + (one * chains[at]!.length) / rows.length, 0);
  const squares = figures.reduce(
    (sum, one, at) => sum + ((one - middle) ** 2 * chains[at]!.length) / rows.length,
    0,
  );
  expect(difference.degrees).toBe(5);
  expect(difference.statistic).toBeCloseTo(squares / 0.05 ** 2, 9);
  // 15.086 is the 0.99 quantile of chi-square with five degrees.
  const [above, below] = [15.087, 15.086].map(
    (quantile) => testChainDifference(variable!, tree, weights, Math.sqrt(squares / quantile))!.chance,
  );
  expect(above).toBeLessThan(0.01);
  expect(below).toBeGreaterThan(0.01);
  expect(testChainDifference(variable!, tree, weights, 0)).toBeNull();
});

test('an estimate standardized to sites is the mean of the sites’ estimates, weighted by size', () => {
  const [variable] = outcomeVariablesOf(status);
  const figures = region.levels.map((_, site) => {
    const rows = [...rowsHavingAnswer(variable!)].filter((i) => region.codes[i] === site);
    const total = rows.reduce((sum, i) => sum + weights[i]!, 0);
    return rows.reduce((sum, i) => sum + weights[i]! * variable!.values[i]!, 0) / total;
  });
  const rows = rowsHavingAnswer(variable!);
  const mean = figures.reduce((sum, one) => sum + one, 0) / 4;
  expect(standardizedEstimate(variable!, weights, sites, rows)).toBeCloseTo(mean, 12);
  const some = [{ size: 300, low: 300, high: 300 }, null, { size: 100, low: 100, high: 100 }, null];
  expect(standardizedEstimate(variable!, weights, { ...sites, people: some }, rows)).toBeCloseTo(
    (3 * figures[0]! + figures[2]!) / 4,
    12,
  );
  expect(standardizedEstimate(variable!, weights, { ...sites, people: null }, rows)).toBeNull();
});

test('replicates standardized to sites count each person at their own site', () => {
  const run = { samples: 50, seed: 3 };
  const [replicates] = chainBootstrap({ recruiters, tree, weights, sites }, [statusWithRegion], run);
  const [variable] = outcomeVariablesOf(statusWithRegion);
  const classes = variable!.classes.map((one, i) => (one < 0 ? -1 : 2 * region.codes[i]! + one));
  const pools = recruitPoolsByClass(recruiters, tree, classes)!;
  const drawn = new Int32Array(recruiters.length);
  expect(replicates!.figures).toHaveLength(6);
  // Classes have other numbers here, so that only the figures of the same draws can be compared.
  drawChainReplicate(pools, 3, 0, drawn);
  const bySite = new Map<number, { sum: number; total: number }>();
  for (const place of rowsHavingAnswer(variable!)) {
    const row = drawn[place]!;
    const site = bySite.get(region.codes[row]!) ?? { sum: 0, total: 0 };
    site.sum += weights[row]! * variable!.values[row]!;
    site.total += weights[row]!;
    bySite.set(region.codes[row]!, site);
  }
  const means = [...bySite.values()].map(({ sum, total }) => sum / total);
  expect(replicates!.figures[4]![0]).toBeCloseTo(means.reduce((sum, one) => sum + one, 0) / means.length, 12);
});

test('each recruit in a replicate was recruited by someone of the class at the recruiter’s place', () => {
  const [variable] = outcomeVariablesOf(status);
  const { classes } = variable!;
  const pools = recruitPoolsByClass(recruiters, tree, classes)!;
  const drawn = new Int32Array(recruiters.length);
  for (let index = 0; index < 20; index++) {
    drawChainReplicate(pools, 1, index, drawn);
    for (const [place, row] of drawn.entries()) {
      expect(classes[row]).toBeGreaterThanOrEqual(0);
      if (recruiters[place]! < 0) continue;
      expect(classes[recruiters[row]!]).toBe(classes[drawn[recruiters[place]!]!]);
    }
  }
});

test('replicates calculated in parts equal those calculated at once', () => {
  const of = { recruiters, tree, weights, sites };
  const [whole] = chainBootstrap(of, [region], { samples: 30, seed: 9 });
  const [end] = chainBootstrap(of, [region], { samples: 10, seed: 9, first: 20 });
  expect(end!.figures.map((values) => [...values])).toEqual(
    whole!.figures.map((values) => [...values.slice(20)]),
  );
});

test('one chain has intervals, and so have seeds alone; without answers there are none', () => {
  const run = { samples: 100, seed: 1 };
  const spread = (from: number[], answers: (string | null)[]) => {
    const rows = Int32Array.from(from);
    const of = {
      recruiters: rows,
      tree: recruitmentTree(rows),
      weights: new Float64Array(rows.length).fill(1),
      sites: null,
    };
    return chainBootstrap(of, [toCategoryOutcome(answers)], run)[0]!;
  };
  expect(
    standardDeviation(spread([-1, 0, 1, 2, 3, 4], ['a', 'b', 'a', 'a', 'b', 'b']).figures[0]!),
  ).toBeGreaterThan(0);
  expect(standardDeviation(spread([-1, -1, -1], ['a', 'b', 'a']).figures[0]!)).toBeGreaterThan(0);
  expect(spread([-1, 0], [null, null])).toEqual({ figures: [], dropped: 100 });
});

test('the interval of a difference comes from the differences of replicates, or from two intervals', () => {
  const from = Float64Array.from({ length: 101 }, (_, at) => at / 1000);
  const to = Float64Array.from({ length: 101 }, (_, at) => 0.3 + (3 * at) / 1000);
  const difference = differenceInterval(from, to, 0.9)!;
  expect(difference.low).toBeCloseTo(0.31, 12);
  expect(difference.high).toBeCloseTo(0.49, 12);
  expect(differenceInterval(new Float64Array(0), to, 0.9)).toBeNull();
  const mover = differenceOfIntervals(
    { estimate: 0.2, low: 0.17, high: 0.24 },
    { estimate: 0.3, low: 0.27, high: 0.34 },
  );
  expect(mover.estimate).toBeCloseTo(0.1, 12);
  expect(mover.low).toBeCloseTo(0.1 - 0.05, 12);
  expect(mover.high).toBeCloseTo(0.1 + 0.05, 12);
});

test('groups have intervals around their shares, and their differences around the differences', () => {
  const job = { recruiters, reportedSizes: file.sample.reportedSizes, outcome: status, groups: region };
  const intervals = groupIntervals({ ...job, randomSeed: 1 })!;
  const share = (group: number) => {
    const own = status.codes.map((code, i) => (region.codes[i] === group ? code : -1));
    return weightedEstimateOf({ ...status, codes: own }, weights)![1]!;
  };
  for (const group of region.levels.keys()) {
    const { low, high } = intervals.cells[group]![1]!;
    expect([low < share(group), share(group) < high]).toEqual([true, true]);
  }
  expect(intervals.differences).toHaveLength(6);
  for (const { one, other, levels } of intervals.differences) {
    const gap = share(one) - share(other);
    expect([levels[1]!.low < gap, gap < levels[1]!.high]).toEqual([true, true]);
    expect(levels[0]!.low).toBeCloseTo(-levels[1]!.high, 9);
  }
  const many = {
    ...job,
    groups: toCategoryOutcome([...region.codes.keys()].map((i) => String(i % 9))),
    randomSeed: 1,
  };
  expect(groupIntervals(many)!.differences).toEqual([]);
});
