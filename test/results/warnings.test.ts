/** When each warning appears: handmade samples, one without problems and one with all of them. */
import { categoryOf, type Outcome } from '../../src/statistics/estimators/outcome.ts';
import { estimateAll, type Sizes } from '../../src/statistics/results/estimate.ts';
import { THRESHOLDS } from '../../src/statistics/results/warnings/warning-inputs.ts';
import { warningsOf } from '../../src/statistics/results/warnings/warnings.ts';

interface Made {
  recruiters: number[];
  sizes: number[];
  outcome: Outcome;
  population?: Sizes;
  strangers?: number;
  bounds?: ([number, number] | null)[];
}

const NOBODY: Sizes = { low: null, size: null, high: null };

function warned({ recruiters, sizes, outcome, population = NOBODY, strangers, bounds }: Made) {
  const n = recruiters.length;
  const found = estimateAll({
    sample: {
      recruiters: Int32Array.from(recruiters),
      reportedSizes: Float64Array.from(sizes),
      order: Int32Array.from(recruiters.keys()),
    },
    times: Float64Array.from(recruiters.keys()),
    outcome,
    population,
    randomSeed: 1,
  });
  const levels = outcome.kind === 'CATEGORY' ? outcome.levels.length : 1;
  return warningsOf({
    found,
    n,
    asked: n,
    sizesMissing: sizes.filter((size) => !(size > 0)).length,
    population: population.size,
    isShare: outcome.kind === 'CATEGORY',
    strangers: strangers ?? null,
    shown: Array<boolean>(levels).fill(true),
    shownInTrees: found.bottleneck.map(() => Array<boolean>(levels).fill(true)),
    intervals:
      bounds?.map((one) => {
        const [low, high] = one ?? [null, null];
        return { low, high, standardError: null, effectiveSize: null };
      }) ?? null,
  });
}

const codes = (made: Made) => warned(made).map(({ code }) => code);

/** A star for each of these: the first person recruits all the others. The first star came first. */
function stars(answers: string[][]): Made {
  const seeds = answers.map((_, at) => answers.slice(0, at).flat().length);
  const recruiters = answers.flatMap((star, at) => star.map((_, place) => (place === 0 ? -1 : seeds[at]!)));
  return { recruiters, sizes: recruiters.map(() => 15), outcome: categoryOf(answers.flat()) };
}

const said = (a: number, b: number) => [...Array<string>(a).fill('a'), ...Array<string>(b).fill('b')];

test('a sample without problems has no warnings', () => {
  // Three chains of six, with every combination of consecutive answers.
  const recruiters = Array.from({ length: 144 }, (_, at) => (at < 3 ? -1 : at - 3));
  const answers = recruiters.map((_, at) => (Math.floor(at / 3) % 4 < 2 ? 'a' : 'b'));
  const calm = warned({
    recruiters,
    sizes: recruiters.map((_, at) => 11 + (at % 9)),
    outcome: categoryOf(answers),
    population: { low: 5_000, size: 6_000, high: 7_000 },
    strangers: 0.01,
    bounds: [
      [0.35, 0.64],
      [0.35, 0.64],
    ],
  });
  expect(calm).toEqual([]);
});

test('a number also has warnings on differing trees and a moving mean, relative to the mean', () => {
  const recruiters = Array.from({ length: 90 }, (_, at) => (at === 0 || at === 60 ? -1 : at < 60 ? 0 : 60));
  const outcome = {
    kind: 'NUMBER' as const,
    values: Float64Array.from(recruiters, (_, at) => (at < 60 ? 100 : 200) + (at % 7)),
  };
  const sizes = recruiters.map(() => 15);
  const told = warned({ recruiters, sizes, outcome, bounds: [[90, 150]] });
  const values = Object.fromEntries(told.map(({ code, value }) => [code, value]));
  expect(values.SEEDS_DIFFER).toBeCloseTo(0.5, 1);
  expect(values.NOT_PRECISE).toBeCloseTo(60 / 134, 1);
  const before = (60 * 100 + 7 * 200) / 67;
  expect(values.STILL_MOVING).toBeCloseTo(1 - before / ((60 * 100 + 30 * 200) / 90), 1);
  const { message = '' } = told.find(({ code }) => code === 'STILL_MOVING') ?? {};
  expect(message).toMatch(/changed the RDS-II estimate by [\d.]+%,/);
});

test('warns of each problem, with its figures', () => {
  // A star of sixty who all say a, then one of thirty who all say b.
  const recruiters = Array.from({ length: 90 }, (_, at) => (at === 0 || at === 60 ? -1 : at < 60 ? 0 : 60));
  const answers = recruiters.map((_, at) => (at % 8 === 0 ? null : at < 60 ? 'a' : 'b'));
  const told = warned({
    recruiters,
    sizes: recruiters.map((_, at) => (at === 1 ? 1 : at % 10 === 0 ? Number.NaN : 15)),
    outcome: categoryOf(answers.map((one, at) => (at === 0 ? 'a' : at === 60 ? 'b' : one))),
    population: { low: 91, size: 200, high: 100_000 },
    strangers: 0.2,
    bounds: [
      [0.2, 0.6],
      [0.4, 0.8],
    ],
  });
  const values = Object.fromEntries(told.map(({ code, value }) => [code, value]));
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
    SEEDS_DIFFER: 1,
    ONE_CHAIN_DOMINATES: 60 / 90,
    SAMPLE_IS_LARGE_SHARE: 90 / 200,
    SIZES_HEAPED: 1,
    STRANGERS: 0.2,
  });
  expect(values.STILL_MOVING).toBeGreaterThan(THRESHOLDS.moved);
});

test('two trees differ at 2.6 standard errors, with a design effect of 2.5', () => {
  // The standard error of each is sqrt(2.5 x 0.25 / 50): the gap must be over 0.41.
  expect(codes(stars([said(36, 14), said(14, 36)]))).toContain('SEEDS_DIFFER');
  expect(codes(stars([said(34, 16), said(16, 34)]))).not.toContain('SEEDS_DIFFER');
  const few = stars([said(19, 0), said(0, 60), said(0, 60)]);
  expect(codes(few)).not.toContain('SEEDS_DIFFER');
  expect(codes(stars([said(20, 0), said(0, 60)]))).toContain('SEEDS_DIFFER');
});

test('the last quarter moves the estimate if by over two points and more than chance', () => {
  const moved = (first: string[], last: string[]) => codes(stars([[...first, ...last]]));
  // Changes of 0.03 and 0.1 with an error of 0.04; of slightly over and under 0.02 with an error of 0.007.
  expect(moved(said(45, 45), said(19, 11))).not.toContain('STILL_MOVING');
  expect(moved(said(45, 45), said(27, 3))).toContain('STILL_MOVING');
  expect(moved(said(1500, 1500), said(595, 405))).toContain('STILL_MOVING');
  expect(moved(said(1500, 1500), said(570, 430))).not.toContain('STILL_MOVING');
});

test('an interval wider than 0.30 or without width is not precise', () => {
  const sample = stars([said(50, 50)]);
  const found = (bounds: NonNullable<Made['bounds']>) =>
    warned({ ...sample, bounds }).filter(({ code }) => code === 'NOT_PRECISE');
  expect(found([[0.36, 0.65], null])).toMatchObject([{ value: 0 }]);
  expect(found([[0.35, 0.66], null])[0]?.value).toBeCloseTo(0.31, 9);
  expect(found([[0.35, 0.66], null])[0]?.message).toMatch(/31 percentage points wide\. Publish it/);
  expect(found([[0.36, 0.65]])).toEqual([]);
});
