/** Suppression of small groups for all but super-admins, compared with the full levels: trees, warnings, the report. */
import { levelCountsOf, toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import { estimateOutcome } from '../../src/statistics/results/estimate.ts';
import {
  type CachedEstimate,
  type LatestRunByMethod,
  NO_RUNS,
  visibleEstimates,
} from '../../src/statistics/results/estimates-for-reader.ts';
import type { EstimateInterval } from '../../src/statistics/results/schema.ts';
import type { FinishedRun } from '../../src/statistics/runs/read.ts';

/** Chains with these answers: the first person is the seed and recruits all others. */
function answerOf(chains: string[][], relations: string[] = []): CachedEstimate {
  const answers = chains.flat();
  const recruiters: number[] = [];
  for (const chain of chains) {
    const seed = recruiters.length;
    recruiters.push(...chain.map((_, at) => (at === 0 ? -1 : seed)));
  }
  const outcome = toCategoryOutcome(answers);
  const relation = toCategoryOutcome(relations);
  const result = estimateOutcome({
    sample: {
      recruiters: Int32Array.from(recruiters),
      reportedSizes: new Float64Array(answers.length).fill(10),
      order: Int32Array.from(answers.keys()),
    },
    times: Float64Array.from(answers.keys()),
    outcome,
    population: { size: null, low: null, high: null },
    randomSeed: 1,
    sites: null,
  });
  return {
    name: 'it',
    kind: 'CATEGORY',
    asOf: new Date(0),
    about: { n: answers.length, notAsked: 0, orphans: 0, sizeMissing: 0, sizeZero: 0 },
    population: { size: null, low: null, high: null },
    values: [...outcome.levels],
    titles: new Map(),
    offered: [],
    estimate: result,
    treeSeeds: result.bottleneck.map(({ seed }) => String(seed)),
    relation: {
      counts: [...levelCountsOf(relation)],
      stranger: relation.levels.indexOf('stranger'),
      sites: null,
    },
    isPart: false,
    siteTable: null,
    bySite: null,
    siteSizesKey: '',
  };
}

const several = (answer: string, times: number) => new Array<string>(times).fill(answer);
/** With the same interval for both levels. */
const runOf = (interval: EstimateInterval & Partial<FinishedRun['levels'][number]>): FinishedRun => ({
  id: '0',
  asOf: new Date(0),
  confidence: 0.95,
  treeReason: null,
  sites: '',
  levels: ['a', 'b'].map((value) => ({
    ...{ value, count: 0, dropped: 0, estimate: 0.5, designEffect: null, inverse: null },
    ...interval,
  })),
});
const codes = (answer: CachedEstimate, smallest: number, runs: LatestRunByMethod = NO_RUNS) =>
  visibleEstimates(answer, smallest, runs).warnings.map(({ code }) => code);

test('a small group in one tree cannot be derived by subtracting the other trees', () => {
  const chains = [
    [...several('a', 20), ...several('b', 3)],
    [...several('a', 30), ...several('b', 20)],
    [...several('a', 10), ...several('b', 9)],
    ['a'],
  ];
  const trees = visibleEstimates(answerOf(chains), 5, NO_RUNS).bottleneck;
  expect(trees.map(({ n }) => n)).toEqual([50, 23, 19]);
  // The second suppresses its b and therefore its a; so the third must be suppressed too.
  const isTold = trees.map(({ levels }) => levels.map(({ rds2 }) => rds2 !== null));
  expect(isTold).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
  const all = visibleEstimates(answerOf(chains), 0, NO_RUNS).bottleneck;
  expect(all.map(({ n }) => n)).toEqual([50, 23, 19, 1]);
});

test('no warning reveals hidden levels', () => {
  const alike = [several('a', 4), several('b', 30)];
  expect(codes(answerOf(alike), 0)).toContain('SAME_TO_SAME');
  const hidden = visibleEstimates(answerOf(alike), 5, NO_RUNS);
  expect(hidden.levels.every((level) => level.hidden)).toBe(true);
  expect(hidden.warnings.map(({ code }) => code)).not.toContain('SAME_TO_SAME');
});

test('the warning on strangers is shown only if that answer is not hidden', () => {
  const chains = [several('a', 40)];
  const with4 = answerOf(chains, [...several('friend', 36), ...several('stranger', 4)]);
  expect(codes(with4, 0)).toContain('STRANGERS');
  expect(codes(with4, 5)).not.toContain('STRANGERS');
  const with6 = answerOf(chains, [...several('friend', 34), ...several('stranger', 6)]);
  expect(codes(with6, 5)).toContain('STRANGERS');
});

test('a run with identical replicates gives no interval but a note and a warning, which are hidden with the level', () => {
  const answer = answerOf([[...several('a', 30), ...several('b', 20)]]);
  const chain = runOf({ low: null, high: null, standardError: null, effectiveSize: null });
  const run = { ...NO_RUNS, chain };
  const publishedAnswer = visibleEstimates(answer, 0, run);
  expect(publishedAnswer.levels.map(({ interval }) => interval)).toEqual([null, null]);
  expect(publishedAnswer.notes).toContainEqual(
    expect.objectContaining({ estimator: 'RDS_II', code: 'NO_VARIATION' }),
  );
  expect(publishedAnswer.warnings).toContainEqual(expect.objectContaining({ code: 'NOT_PRECISE', value: 0 }));
  const hidden = visibleEstimates(answer, 25, run);
  expect(JSON.stringify(hidden)).not.toMatch(/NO_VARIATION|NOT_PRECISE/);
  expect(JSON.stringify(visibleEstimates(answer, 0, NO_RUNS))).not.toMatch(/NO_VARIATION|NOT_PRECISE/);
});

test('differing chains are reported only for answers that are shown', () => {
  const answer = answerOf([
    [...several('a', 40), ...several('b', 2)],
    [...several('a', 5), ...several('b', 40)],
  ]);
  const reasons = {
    plainError: 0.05,
    distanceError: 0.05,
    chainsDiffer: { statistic: 20, degrees: 1, chance: 1e-5 },
  };
  const interval = { low: 0, high: 1, standardError: 0.05, effectiveSize: 60, reasons };
  const runs = { ...NO_RUNS, chain: runOf(interval) };
  expect(codes(answer, 0, runs)).toContain('SEEDS_DIFFER');
  expect(codes(answer, 43, runs)).not.toContain('SEEDS_DIFFER');
});

test('the interval of TREE comes first where CHAIN says so, and then decides whether the figure is precise', () => {
  const answer = answerOf([[...several('a', 30), ...several('b', 20)]]);
  const narrow = runOf({ low: 0.4, high: 0.6, standardError: 0.05, effectiveSize: 40 });
  const wide = runOf({ low: 0.2, high: 0.8, standardError: 0.15, effectiveSize: 10 });
  const calm = visibleEstimates(answer, 0, { ...NO_RUNS, chain: narrow, tree: wide });
  expect(calm).toMatchObject({ first: 'CHAIN', firstReason: null });
  expect(calm.levels[0]).toMatchObject({ interval: { low: 0.4 }, cautious: { low: 0.2 } });
  expect(JSON.stringify(calm.warnings)).not.toContain('NOT_PRECISE');
  const chain = { ...narrow, treeReason: 'CHAINS_DIFFER' as const };
  const apart = visibleEstimates(answer, 0, { ...NO_RUNS, chain, tree: wide });
  expect(apart).toMatchObject({ first: 'TREE', firstReason: { code: 'CHAINS_DIFFER' } });
  expect(apart.levels[0]).toMatchObject({ interval: { low: 0.4 }, cautious: { low: 0.2 } });
  expect(apart.warnings).toContainEqual(
    expect.objectContaining({ code: 'NOT_PRECISE', value: expect.closeTo(0.6) }),
  );
  // Runs that an earlier version stored.
  expect(visibleEstimates(answer, 0, { ...NO_RUNS, tree: wide })).toMatchObject({
    first: 'TREE',
    firstReason: null,
  });
  expect(visibleEstimates(answer, 0, NO_RUNS)).toMatchObject({ first: null, firstReason: null });
});
