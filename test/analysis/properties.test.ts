/** Properties that hold for every sample. */

import { toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import {
  type AnalysisResults,
  type AnalysisSettings,
  analyseSample,
} from '../../src/statistics/estimators/results.ts';
import { cyclesIn, type Sample } from '../../src/statistics/estimators/sample/sample.ts';
import fc from '../fast-check.ts';
import { ask, QUESTION, sampleOf } from './kit.ts';

/** Each person's recruiter is an earlier person or none. */
const samples = fc
  .array(
    fc.record({
      recruiter: fc.double({ min: 0, max: 1, noNaN: true }),
      isSeed: fc.boolean(),
      size: fc.option(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0.001, 2.5, 1e9))),
      answer: fc.option(fc.constantFrom('a', 'b', 'c')),
      value: fc.option(fc.integer({ min: -5, max: 5 })),
      rank: fc.integer(),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((people) => ({
    recruiters: people.map(({ recruiter, isSeed }, i) =>
      i === 0 || isSeed ? '0' : String(1 + Math.floor(recruiter * i * 0.999)),
    ),
    sizes: people.map(({ size }) => size),
    answers: people.map(({ answer }) => answer),
    values: people.map(({ value }) => value),
    /** The same rows in another order. */
    order: people.map((_, i) => i).sort((a, b) => people[a]!.rank - people[b]!.rank),
  }));
const runs = { numRuns: 60 };

/** Of a category and of a number. */
function askBoth(
  sample: Sample,
  answers: (string | null)[],
  values: (number | null)[],
  question: Partial<AnalysisSettings> = {},
): AnalysisResults {
  const x = { kind: 'NUMBER' as const, values: Float64Array.from(values, (one) => one ?? Number.NaN) };
  return analyseSample('test', sample, { y: toCategoryOutcome(answers), x }, { ...QUESTION, ...question });
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}

const sum = (values: Iterable<number | null>) =>
  [...values].reduce<number>((total, one) => total + (one ?? 0), 0);

test('no result is NaN or infinite, by any method', () => {
  fc.assert(
    fc.property(
      samples,
      fc.constantFrom('tree' as const, 'gile' as const, 'salganik' as const),
      fc.constantFrom(0, 1, 7, 5000),
      ({ recruiters, sizes, answers, values }, method, more) => {
        const population = recruiters.length + more;
        const sample = sampleOf(recruiters, sizes);
        const results = askBoth(sample, answers, values, { population, method, samples: 20 });
        expect(numbersIn(results).every(Number.isFinite)).toBe(true);
      },
    ),
    runs,
  );
});

test('weights and shares each sum to 1, and intervals stay between 0 and 1', () => {
  fc.assert(
    fc.property(samples, ({ recruiters, sizes, answers }) => {
      const results = ask(sampleOf(recruiters, sizes), answers, {
        population: 500,
        method: 'tree',
        samples: 20,
      });
      expect(sum(results.weights.rdsII)).toBeCloseTo(1, 9);
      expect(sum(results.weights.ss ?? [])).toBeCloseTo(1, 9);
      const y = results.outcomes.y!;
      for (const shares of [y.naive, y.rdsI, y.rdsII, y.ss])
        if (shares) expect(sum(Object.values(shares))).toBeCloseTo(1, 9);
      for (const spread of Object.values(y.bootstrap?.tree?.rdsII ?? {})) {
        if (!spread) continue;
        expect(spread.low).toBeGreaterThanOrEqual(0);
        expect(spread.high).toBeLessThanOrEqual(1);
        expect(spread.low).toBeLessThan(spread.high);
      }
    }),
    runs,
  );
});

test('the order of rows and the ids change no estimate', () => {
  fc.assert(
    fc.property(samples, ({ recruiters, sizes, answers, values, order }) => {
      const rename = (id: string) => (id === '0' ? 'none' : `p${(Number(id) * 7919) % 10007}`);
      const other = sampleOf(
        order.map((i) => rename(recruiters[i]!)),
        order.map((i) => sizes[i]!),
        order.map((i) => rename(String(i + 1))),
      );
      // The order of time is left out: without times the order of rows replaces it. Weights are by row.
      const figures = ({ outcomes: { x, y } }: AnalysisResults) => {
        const { weights: _, cumulativeByOrder: __, ...rest } = y!;
        return numbersIn([x, rest]);
      };
      const population = { population: recruiters.length + 20 };
      const before = figures(askBoth(sampleOf(recruiters, sizes), answers, values, population));
      const [turned, turnedValues] = [order.map((i) => answers[i]!), order.map((i) => values[i]!)];
      const after = figures(askBoth(other, turned, turnedValues, population));
      expect(after.length).toBe(before.length);
      before.forEach((value, at) => {
        expect(Math.abs(after[at]! - value)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value)));
      });
    }),
    runs,
  );
});

test('RDS-II with equal sizes and SS with a census equal the unweighted share or mean', () => {
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 30 }), ({ recruiters, sizes, answers, values }, size) => {
      const alike = recruiters.map(() => size);
      const equal = askBoth(sampleOf(recruiters, alike), answers, values).outcomes;
      const population = recruiters.length;
      const census = askBoth(sampleOf(recruiters, sizes), answers, values, { population }).outcomes;
      for (const name of ['y', 'x'] as const) {
        for (const [level, figure] of Object.entries(equal[name]!.naive ?? {})) {
          if (figure === null) continue;
          expect(equal[name]?.rdsII?.[level]).toBeCloseTo(figure, 9);
          expect(census[name]?.ss?.[level]).toBeCloseTo(figure, 9);
        }
      }
    }),
    runs,
  );
});

test('one person has no interval by any bootstrap', () => {
  for (const method of ['tree', 'gile', 'salganik'] as const) {
    const { y } = ask(sampleOf(['0'], [7]), ['a'], { method, population: 50 }).outcomes;
    const spreads = Object.values(y?.bootstrap?.[method] ?? {});
    expect(spreads.length).toBeGreaterThan(0);
    for (const spread of spreads) expect(spread?.a).toBeNull();
  }
});

test('each recruitment cycle is found, complete and once', () => {
  expect(cyclesIn(Int32Array.of(-1, 2, 3, 1, 0, 6, 5, 1))).toEqual([
    [1, 2, 3],
    [5, 6],
  ]);
});

test('levels are sorted by code point, including characters outside the BMP', () => {
  expect(toCategoryOutcome(['\u{1f600}', '\uff5e', 'b', null, 'B']).levels).toEqual([
    'B',
    'b',
    '\uff5e',
    '\u{1f600}',
  ]);
});
