/** When each warning appears: handmade samples, one without problems and one with all of them. */
import type { ChainDifferenceTest } from '../../src/statistics/estimators/chains-differ.ts';
import { type OutcomeAnswers, toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import { estimateOutcome, type PopulationSizeRange } from '../../src/statistics/results/estimate.ts';
import {
  WARNING_THRESHOLDS,
  type WarningInput,
} from '../../src/statistics/results/warnings/warning-inputs.ts';
import { estimateWarningsOf } from '../../src/statistics/results/warnings/warnings.ts';

interface WarningCase {
  recruiters: number[];
  sizes: number[];
  outcome: OutcomeAnswers;
  population?: PopulationSizeRange;
  strangers?: number;
  bounds?: ([number, number] | null)[];
  chain?: WarningInput['chain'];
}

const NOBODY: PopulationSizeRange = { low: null, size: null, high: null };

function warned({ recruiters, sizes, outcome, population = NOBODY, strangers, bounds, chain }: WarningCase) {
  const n = recruiters.length;
  const result = estimateOutcome({
    sample: {
      recruiters: Int32Array.from(recruiters),
      reportedSizes: Float64Array.from(sizes),
      order: Int32Array.from(recruiters.keys()),
    },
    times: Float64Array.from(recruiters.keys()),
    outcome,
    population,
    randomSeed: 1,
    sites: null,
  });
  const levels = outcome.kind === 'CATEGORY' ? outcome.levels.length : 1;
  return estimateWarningsOf({
    estimate: result,
    n,
    askedCount: n,
    sizesMissing: sizes.filter((size) => !(size > 0)).length,
    population: population.size,
    isShare: outcome.kind === 'CATEGORY',
    strangers: strangers ?? null,
    shown: Array<boolean>(levels).fill(true),
    intervals: bounds?.map((one) => ({ low: one?.[0] ?? null, high: one?.[1] ?? null })) ?? null,
    chain: chain ?? null,
  });
}

const codes = (input: WarningCase) => warned(input).map(({ code }) => code);

/** A star for each of these: the first person recruits all the others. The first star came first. */
function stars(answers: string[][]): WarningCase {
  const seeds = answers.map((_, at) => answers.slice(0, at).flat().length);
  const recruiters = answers.flatMap((star, at) => star.map((_, place) => (place === 0 ? -1 : seeds[at]!)));
  return { recruiters, sizes: recruiters.map(() => 15), outcome: toCategoryOutcome(answers.flat()) };
}

/** Two levels of CHAIN, which differ like this. */
const levelsOf = (differ: ChainDifferenceTest | null) =>
  [0, 1].map(() => ({
    ...{ estimate: 0.5, low: 0.3, high: 0.7 },
    reasons: { plainError: 0.1, distanceError: 0.1, chainsDiffer: differ },
  }));

const answersOf = (a: number, b: number) => [...Array<string>(a).fill('a'), ...Array<string>(b).fill('b')];

test('a sample without problems has no warnings', () => {
  // Three chains of six, with every combination of consecutive answers.
  const recruiters = Array.from({ length: 144 }, (_, at) => (at < 3 ? -1 : at - 3));
  const answers = recruiters.map((_, at) => (Math.floor(at / 3) % 4 < 2 ? 'a' : 'b'));
  const calm = warned({
    recruiters,
    sizes: recruiters.map((_, at) => 11 + (at % 9)),
    outcome: toCategoryOutcome(answers),
    population: { low: 5_000, size: 6_000, high: 7_000 },
    strangers: 0.01,
    bounds: [
      [0.35, 0.64],
      [0.35, 0.64],
    ],
  });
  expect(calm).toEqual([]);
});

test('seeds without recruits have no warning about who recruited whom', () => {
  const seeds = stars([['a'], ['b']]);
  expect(codes(seeds)).not.toContain('SAME_TO_SAME');
  const recruits = stars([answersOf(2, 0), answersOf(0, 2)]);
  expect(codes(recruits)).toContain('SAME_TO_SAME');
});

test('a number also has a warning on a moving mean, relative to the mean', () => {
  const recruiters = Array.from({ length: 90 }, (_, at) => (at === 0 || at === 60 ? -1 : at < 60 ? 0 : 60));
  const outcome = {
    kind: 'NUMBER' as const,
    values: Float64Array.from(recruiters, (_, at) => (at < 60 ? 100 : 200) + (at % 7)),
  };
  const sizes = recruiters.map(() => 15);
  const warnings = warned({ recruiters, sizes, outcome, bounds: [[90, 150]] });
  const values = Object.fromEntries(warnings.map(({ code, value }) => [code, value]));
  expect(values.NOT_PRECISE).toBeCloseTo(60 / 134, 1);
  const before = (60 * 100 + 7 * 200) / 67;
  expect(values.STILL_MOVING).toBeCloseTo(1 - before / ((60 * 100 + 30 * 200) / 90), 1);
  const { message = '' } = warnings.find(({ code }) => code === 'STILL_MOVING') ?? {};
  expect(message).toMatch(/changed the RDS-II estimate by [\d.]+%,/);
});

test('warns of each problem, with its figures', () => {
  // A star of sixty who all say a, then one of thirty who all say b.
  const recruiters = Array.from({ length: 90 }, (_, at) => (at === 0 || at === 60 ? -1 : at < 60 ? 0 : 60));
  const answers = recruiters.map((_, at) => (at % 8 === 0 ? null : at < 60 ? 'a' : 'b'));
  const warnings = warned({
    recruiters,
    sizes: recruiters.map((_, at) => (at === 1 ? 1 : at % 10 === 0 ? Number.NaN : 15)),
    outcome: toCategoryOutcome(answers.map((one, at) => (at === 0 ? 'a' : at === 60 ? 'b' : one))),
    population: { low: 91, size: 200, high: 100_000 },
    strangers: 0.2,
    bounds: [
      [0.2, 0.6],
      [0.4, 0.8],
    ],
    chain: levelsOf({ statistic: 12, degrees: 2, chance: 0.002 }),
  });
  const values = Object.fromEntries(warnings.map(({ code, value }) => [code, value]));
  expect(Object.keys(values).sort()).toEqual(
    [
      'ABSORBING',
      'FEW_KNOWN',
      'FEW_WAVES',
      'MANY_SIZES_MISSING',
      'NOT_PRECISE',
      'ONE_CHAIN_DOMINATES',
      'ONE_WEIGHS_MUCH',
      'POPULATION_MATTERS',
      'SAMPLE_IS_LARGE_SHARE',
      'SAME_TO_SAME',
      'SEEDS_DIFFER',
      'SIZES_HEAPED',
      'STILL_MOVING',
      'STRANGERS',
    ].sort(),
  );
  expect(values).toMatchObject({
    ABSORBING: 2,
    FEW_WAVES: 1,
    MANY_SIZES_MISSING: 9 / 90,
    SEEDS_DIFFER: 6,
    ONE_CHAIN_DOMINATES: 60 / 90,
    SAMPLE_IS_LARGE_SHARE: 90 / 200,
    SIZES_HEAPED: 1,
    STRANGERS: 0.2,
  });
  expect(values.STILL_MOVING).toBeGreaterThan(WARNING_THRESHOLDS.moved);
});

test('chains differ if chance explains it in fewer than one of a hundred samples, over all answers', () => {
  const sample = stars([answersOf(50, 50), answersOf(10, 10)]);
  const codesAt = (chance: number) =>
    codes({ ...sample, chain: levelsOf({ statistic: 9, degrees: 1, chance }) });
  expect(codesAt(0.0049)).toEqual(expect.arrayContaining(['SEEDS_DIFFER', 'ONE_CHAIN_DOMINATES']));
  const calm = codesAt(0.0051);
  // That one chain has most of the people does no harm while the chains are alike.
  for (const code of ['SEEDS_DIFFER', 'ONE_CHAIN_DOMINATES']) expect(calm).not.toContain(code);
  expect(codes({ ...sample, chain: levelsOf(null) })).not.toContain('SEEDS_DIFFER');
});

test('groups recruit differently if RDS-II is outside the interval of CHAIN', () => {
  const sample = stars([answersOf(50, 50)]);
  const warningsAt = (estimate: number) =>
    warned({ ...sample, chain: levelsOf(null).map((level) => ({ ...level, estimate })) }).filter(
      ({ code }) => code === 'GROUPS_RECRUIT_DIFFERENTLY',
    );
  expect(warningsAt(0.31)).toEqual([]);
  expect(warningsAt(0.25)).toMatchObject([{ value: expect.closeTo(0.05) }]);
  expect(warningsAt(0.85)).toMatchObject([{ value: expect.closeTo(0.15) }]);
});

test('the last quarter moves the estimate if by over two points and more than chance', () => {
  const moved = (first: string[], last: string[]) => codes(stars([[...first, ...last]]));
  // Changes of 0.03 and 0.1 with an error of 0.04; of slightly over and under 0.02 with an error of 0.007.
  expect(moved(answersOf(45, 45), answersOf(19, 11))).not.toContain('STILL_MOVING');
  expect(moved(answersOf(45, 45), answersOf(27, 3))).toContain('STILL_MOVING');
  expect(moved(answersOf(1500, 1500), answersOf(595, 405))).toContain('STILL_MOVING');
  expect(moved(answersOf(1500, 1500), answersOf(570, 430))).not.toContain('STILL_MOVING');
});

test('an interval wider than 0.30 or without width is not precise', () => {
  const sample = stars([answersOf(50, 50)]);
  const impreciseWarnings = (bounds: NonNullable<WarningCase['bounds']>) =>
    warned({ ...sample, bounds }).filter(({ code }) => code === 'NOT_PRECISE');
  expect(impreciseWarnings([[0.36, 0.65], null])).toMatchObject([{ value: 0 }]);
  expect(impreciseWarnings([[0.35, 0.66], null])[0]?.value).toBeCloseTo(0.31, 9);
  expect(impreciseWarnings([[0.35, 0.66], null])[0]?.message).toMatch(
    /31 percentage points wide\. Publish it/,
  );
  expect(impreciseWarnings([[0.36, 0.65]])).toEqual([]);
});
