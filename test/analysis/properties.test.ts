/** What must hold of every sample, whatever it looks like. */
import fc from 'fast-check';
import { categoryOf } from '../../src/analysis/outcome.ts';
import type { Results } from '../../src/analysis/results.ts';
import { circlesIn } from '../../src/analysis/sample.ts';
import { ask, sampleOf } from './kit.ts';

/** Each person's recruiter came earlier, or is none. */
const samples = fc
  .array(
    fc.record({
      recruiter: fc.double({ min: 0, max: 1, noNaN: true }),
      isSeed: fc.boolean(),
      size: fc.option(fc.integer({ min: 0, max: 40 })),
      answer: fc.option(fc.constantFrom('a', 'b', 'c')),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((people) => ({
    recruiters: people.map(({ recruiter, isSeed }, i) =>
      i === 0 || isSeed ? '0' : String(1 + Math.floor(recruiter * i * 0.999)),
    ),
    sizes: people.map(({ size }) => size),
    answers: people.map(({ answer }) => answer),
  }));
const runs = { numRuns: 60 };

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}

const sum = (values: Iterable<number | null>) =>
  [...values].reduce<number>((total, one) => total + (one ?? 0), 0);

test('nothing is ever NaN or without end, by any method', () => {
  fc.assert(
    fc.property(
      samples,
      fc.constantFrom('tree' as const, 'gile' as const, 'salganik' as const),
      (given, method) => {
        const { recruiters, sizes, answers } = given;
        const results = ask(sampleOf(recruiters, sizes), answers, {
          population: recruiters.length + 7,
          method,
          samples: 20,
        });
        const harmonic = results.outcomes.y?.harmonicMeanDegree;
        expect(numbersIn({ ...results, harmonic }).every(Number.isFinite)).toBe(true);
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
        expect(spread!.low).toBeGreaterThanOrEqual(0);
        expect(spread!.high).toBeLessThanOrEqual(1);
        expect(spread!.low).toBeLessThanOrEqual(spread!.high);
      }
    }),
    runs,
  );
});

test('the order of rows and the names of ids change no estimate', () => {
  fc.assert(
    fc.property(samples, fc.integer(), ({ recruiters, sizes, answers }, turn) => {
      const n = recruiters.length;
      const order = recruiters.map((_, i) => (i + Math.abs(turn)) % n);
      const rename = (id: string) => (id === '0' ? 'none' : `p${(Number(id) * 7919) % 10007}`);
      const other = sampleOf(
        order.map((i) => rename(recruiters[i]!)),
        order.map((i) => sizes[i]!),
        order.map((i) => rename(String(i + 1))),
      );
      const figures = (results: Results) => {
        const { rdsI, rdsII, naive, transitions, recruitmentHomophily, cumulativeByWave } =
          results.outcomes.y!;
        return { rdsI, rdsII, naive, transitions, recruitmentHomophily, cumulativeByWave };
      };
      const [before, after] = [
        numbersIn(figures(ask(sampleOf(recruiters, sizes), answers))),
        numbersIn(
          figures(
            ask(
              other,
              order.map((i) => answers[i]!),
            ),
          ),
        ),
      ];
      expect(after.length).toBe(before.length);
      before.forEach((value, at) => {
        expect(after[at]).toBeCloseTo(value, 9);
      });
    }),
    runs,
  );
});

test('equal sizes make RDS-II the plain share, and so does a census for SS', () => {
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 30 }), ({ recruiters, sizes, answers }, size) => {
      const equal = ask(
        sampleOf(
          recruiters,
          recruiters.map(() => size),
        ),
        answers,
      ).outcomes.y!;
      const census = ask(sampleOf(recruiters, sizes), answers, { population: recruiters.length }).outcomes.y!;
      for (const [level, share] of Object.entries(equal.naive ?? {})) {
        expect(equal.rdsII?.[level]).toBeCloseTo(share!, 9);
        expect(census.ss?.[level]).toBeCloseTo(share!, 9);
      }
    }),
    runs,
  );
});

test('each circle of recruiters is found, whole and once', () => {
  expect(circlesIn(Int32Array.of(-1, 2, 3, 1, 0, 6, 5, 1))).toEqual([
    [1, 2, 3],
    [5, 6],
  ]);
});

test('levels are sorted by code point, what stands beyond the first 65,536 last', () => {
  expect(categoryOf(['\u{1f600}', '\uff5e', 'b', null, 'B']).levels).toEqual([
    'B',
    'b',
    '\uff5e',
    '\u{1f600}',
  ]);
});
