/** What each warning answers to: samples made by hand, one as it should be and one with all that can be wrong. */
import { categoryOf, type Outcome } from '../../src/analysis/outcome.ts';
import { estimateAll, type Sizes } from '../../src/results/estimate.ts';
import { THRESHOLDS, warningsOf } from '../../src/results/warnings.ts';

interface Made {
  recruiters: number[];
  sizes: number[];
  outcome: Outcome;
  population?: Sizes;
  strangers?: number;
  effectiveSizes?: number[] | null;
}

const NOBODY: Sizes = { low: null, size: null, high: null };

function warned({ recruiters, sizes, outcome, population = NOBODY, strangers, effectiveSizes = null }: Made) {
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
    sizesMissing: sizes.filter((size) => !(size > 0)).length,
    population: population.size,
    isShare: outcome.kind === 'CATEGORY',
    strangers: strangers ?? null,
    shown: Array<boolean>(levels).fill(true),
    shownInTrees: found.bottleneck.map(() => Array<boolean>(levels).fill(true)),
    effectiveSizes,
  });
}

test('a sample with nothing wrong is warned of nothing', () => {
  // Three chains of six, in which the answers follow each other in all ways.
  const recruiters = Array.from({ length: 144 }, (_, at) => (at < 3 ? -1 : at - 3));
  const answers = recruiters.map((_, at) => (Math.floor(at / 3) % 4 < 2 ? 'a' : 'b'));
  const calm = warned({
    recruiters,
    sizes: recruiters.map((_, at) => 11 + (at % 9)),
    outcome: categoryOf(answers),
    population: { low: 5_000, size: 6_000, high: 7_000 },
    strangers: 0.01,
    effectiveSizes: [80, 80],
  });
  expect(calm).toEqual([]);
});

test('of a number, too, trees that differ are told, and by how much of itself the mean moved', () => {
  const recruiters = Array.from({ length: 90 }, (_, at) => (at === 0 || at === 60 ? -1 : at < 60 ? 0 : 60));
  const outcome = {
    kind: 'NUMBER' as const,
    values: Float64Array.from(recruiters, (_, at) => (at < 60 ? 100 : 200) + (at % 7)),
  };
  const sizes = recruiters.map(() => 15);
  const told = warned({ recruiters, sizes, outcome, effectiveSizes: [60] });
  const values = Object.fromEntries(told.map(({ code, value }) => [code, value]));
  expect(values.SEEDS_DIFFER).toBeGreaterThan(1);
  const before = (60 * 100 + 7 * 200) / 67;
  expect(values.STILL_MOVING).toBeCloseTo(1 - before / ((60 * 100 + 30 * 200) / 90), 1);
  const { message = '' } = told.find(({ code }) => code === 'STILL_MOVING') ?? {};
  expect(message).toMatch(/moved RDS-II by [\d.]+ % of itself/);
});

test('each thing that can be wrong is told, with its number', () => {
  // One star of sixty and one of thirty: the first all say a, the second all b, and the second came last.
  const recruiters = Array.from({ length: 90 }, (_, at) => (at === 0 || at === 60 ? -1 : at < 60 ? 0 : 60));
  const answers = recruiters.map((_, at) => (at % 8 === 0 ? null : at < 60 ? 'a' : 'b'));
  const told = warned({
    recruiters,
    sizes: recruiters.map((_, at) => (at === 1 ? 1 : at % 10 === 0 ? Number.NaN : 15)),
    outcome: categoryOf(answers.map((one, at) => (at === 0 ? 'a' : at === 60 ? 'b' : one))),
    population: { low: 91, size: 200, high: 100_000 },
    strangers: 0.2,
    effectiveSizes: [20, 40],
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
    NOT_PRECISE: 20,
    ONE_CHAIN_DOMINATES: 60 / 90,
    SAMPLE_IS_LARGE_SHARE: 90 / 200,
    SIZES_HEAPED: 1,
    STRANGERS: 0.2,
  });
  expect(values.STILL_MOVING).toBeGreaterThan(THRESHOLDS.moved);
});
