/** What is told of few people to all but a super-admin, beside the levels themselves: trees, warnings, the report. */
import { categoryOf, countsOf } from '../../src/analysis/outcome.ts';
import { estimateAll } from '../../src/results/estimate.ts';
import { type Answer, shownTo } from '../../src/results/estimates-for-reader.ts';
import type { TreeIntervals } from '../../src/results/intervals.ts';

/** Chains of these answers: the first of each is its seed, and recruits all others. */
function answerOf(chains: string[][], relations: string[] = []): Answer {
  const answers = chains.flat();
  const recruiters: number[] = [];
  for (const chain of chains) {
    const seed = recruiters.length;
    recruiters.push(...chain.map((_, at) => (at === 0 ? -1 : seed)));
  }
  const outcome = categoryOf(answers);
  const relation = categoryOf(relations);
  const found = estimateAll({
    sample: {
      recruiters: Int32Array.from(recruiters),
      reportedSizes: new Float64Array(answers.length).fill(10),
      order: Int32Array.from(answers.keys()),
    },
    times: Float64Array.from(answers.keys()),
    outcome,
    population: { size: null, low: null, high: null },
    randomSeed: 1,
  });
  return {
    name: 'it',
    kind: 'CATEGORY',
    asOf: new Date(0),
    about: { n: answers.length, orphans: 0, sizeMissing: 0, sizeZero: 0 },
    population: { size: null, low: null, high: null },
    values: [...outcome.levels],
    titles: new Map(),
    offered: [],
    found,
    treeSeeds: found.bottleneck.map(({ seed }) => String(seed)),
    relation: { counts: [...countsOf(relation)], stranger: relation.levels.indexOf('stranger'), sites: null },
    isPart: false,
    sites: null,
  };
}

const several = (answer: string, times: number) => new Array<string>(times).fill(answer);
const codes = (answer: Answer, smallest: number, run: TreeIntervals | null = null) =>
  shownTo(answer, smallest, run).warnings.map(({ code }) => code);

test('what a few people of one tree say is not found by subtracting the other trees', () => {
  const chains = [
    [...several('a', 20), ...several('b', 3)],
    [...several('a', 30), ...several('b', 20)],
    [...several('a', 10), ...several('b', 9)],
    ['a'],
  ];
  const trees = shownTo(answerOf(chains), 5, null).bottleneck;
  expect(trees.map(({ n }) => n)).toEqual([50, 23, 19]);
  // The second hides its b, and so its a; the third one has to go with it.
  const isTold = trees.map(({ levels }) => levels.map(({ rds2 }) => rds2 !== null));
  expect(isTold).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
  const all = shownTo(answerOf(chains), 0, null).bottleneck;
  expect(all.map(({ n }) => n)).toEqual([50, 23, 19, 1]);
});

test('no warning has a number of levels that are hidden', () => {
  const alike = [several('a', 4), several('b', 30)];
  expect(codes(answerOf(alike), 0)).toContain('SAME_TO_SAME');
  const hidden = shownTo(answerOf(alike), 5, null);
  expect(hidden.levels.every((level) => level.hidden)).toBe(true);
  expect(hidden.warnings.map(({ code }) => code)).not.toContain('SAME_TO_SAME');
});

test('how many were recruited by a stranger is told only where that answer is', () => {
  const chains = [several('a', 40)];
  const with4 = answerOf(chains, [...several('friend', 36), ...several('stranger', 4)]);
  expect(codes(with4, 0)).toContain('STRANGERS');
  expect(codes(with4, 5)).not.toContain('STRANGERS');
  const with6 = answerOf(chains, [...several('friend', 34), ...several('stranger', 6)]);
  expect(codes(with6, 5)).toContain('STRANGERS');
});

test('a run whose replicates were all the same gives no interval, a note and a warning, and none of it where it is hidden', () => {
  const answer = answerOf([[...several('a', 30), ...several('b', 20)]]);
  const run = { id: '0', of: () => ({ low: null, high: null, standardError: null, effectiveSize: null }) };
  const told = shownTo(answer, 0, run);
  expect(told.levels.map(({ interval }) => interval)).toEqual([null, null]);
  expect(told.notes).toContainEqual(expect.objectContaining({ estimator: 'RDS_II', code: 'NO_VARIATION' }));
  expect(told.warnings).toContainEqual(expect.objectContaining({ code: 'NOT_PRECISE', value: 0 }));
  const hidden = shownTo(answer, 25, run);
  expect(JSON.stringify(hidden)).not.toMatch(/NO_VARIATION|NOT_PRECISE/);
  expect(JSON.stringify(shownTo(answer, 0, null))).not.toMatch(/NO_VARIATION|NOT_PRECISE/);
});

test('two trees are held against each other by what is told of both', () => {
  const answer = answerOf([
    [...several('a', 40), ...several('b', 2)],
    [...several('a', 5), ...several('b', 40)],
  ]);
  const interval = { low: 0, high: 1, standardError: 0.05, effectiveSize: 60 };
  const run = { id: '0', of: () => interval };
  expect(codes(answer, 0, run)).toContain('SEEDS_DIFFER');
  expect(codes(answer, 5, run)).not.toContain('SEEDS_DIFFER');
});
