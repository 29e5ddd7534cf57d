/** Persons, households and their cells: what they are made of, and what they never are. */
import {
  classesByAnswerAndSite,
  recruitPoolsByClass,
} from '../../src/statistics/estimators/bootstrap/bootstrap-chain.ts';
import { roundedToTotal } from '../../src/statistics/estimators/households/rounding.ts';
import {
  type CellContributions,
  drawAlongChains,
  estimatePopulationTotals,
  type HouseholdSample,
  type ReplicateDrawSettings,
  type TotalBreakdown,
} from '../../src/statistics/estimators/households/totals.ts';
import { recruitmentTree } from '../../src/statistics/estimators/sample/sample.ts';
import fc from '../fast-check.ts';

const NOBODY = Number.NaN;
const cell = (key: string, values: number[], least = 0): CellContributions => ({
  key,
  values: Float64Array.from(values),
  least,
});

/** Four people: a couple's one half with two children, one alone with a child, two alone. */
const ADULTS = [2, 1, 1, 1];
const CHILDREN = [2, 1, 0, 0];
const SIZES = [10, 5, 2, 4];
const perAdult = (values: number[]) => Float64Array.from(values, (value, i) => value / ADULTS[i]!);

function population(tables: TotalBreakdown[], change: Partial<HouseholdSample> = {}): HouseholdSample {
  return {
    sizes: Float64Array.from(SIZES),
    multiplier: { has: Int8Array.from([1, 0, 1, 0]), known: 60, knownLow: null, knownHigh: null },
    totals: {
      PERSONS: perAdult(ADULTS.map((adults, i) => adults + CHILDREN[i]!)),
      HOUSEHOLDS: perAdult([1, 1, 1, 1]),
    },
    least: { ADULTS: 4, PERSONS: 7, HOUSEHOLDS: 4 },
    tables,
    ...change,
  };
}

/** Each respondent as a replicate of its own, and everyone once. */
const draws = (samples = 100): ReplicateDrawSettings => {
  const recruiters = Int32Array.from([-1, 0, 0, 1]);
  const pools = recruitPoolsByClass(recruiters, recruitmentTree(recruiters), Int32Array.from([1, 0, 1, 0]));
  return {
    samples,
    confidence: 0.95,
    seed: 1,
    draw: drawAlongChains(pools!, Int32Array.from([0, 1, 2, 3]), 1),
  };
};

test('a child of two adults counts half for each of them', () => {
  const weights = SIZES.map((size) => 1 / size);
  const sum = weights.reduce((all, one) => all + one, 0);
  const share = (weights[0]! + weights[2]!) / sum;
  const { share: actual, totals } = estimatePopulationTotals(population([]), null);
  expect(actual).toBeCloseTo(share, 12);
  const adults = 60 / share;
  const children = (weights[0]! * 1 + weights[1]! * 1) / sum;
  const households = (weights[0]! / 2 + weights[1]! + weights[2]! + weights[3]!) / sum;
  expect(totals.ADULTS?.estimate).toBeCloseTo(adults, 9);
  expect(totals.PERSONS?.estimate).toBeCloseTo(adults * (1 + children), 9);
  expect(totals.HOUSEHOLDS?.estimate).toBeCloseTo(adults * households, 9);
});

test('cells are whole numbers that add up to the rounded total', () => {
  const types: TotalBreakdown = {
    key: 'type',
    total: 'PERSONS',
    cells: [cell('adults', [0, 0, 1, 1]), cell('withChildren', [2, 2, 0, 0])],
  };
  const { totals, tables } = estimatePopulationTotals(population([types]), draws());
  const cells = tables[0]!.cells;
  expect(cells.every(({ estimate }) => Number.isInteger(estimate))).toBe(true);
  expect(cells.reduce((all, { estimate }) => all + estimate!, 0)).toBe(Math.round(totals.PERSONS!.estimate!));
});

test('an empty cell is 0, with an upper bound by the rule of three', () => {
  const table: TotalBreakdown = {
    key: 'veteran',
    total: 'ADULTS',
    cells: [cell('yes', [0, 0, 0, 0]), cell('no', [1, 1, 1, 1])],
  };
  const { totals, designEffect, tables } = estimatePopulationTotals(population([table]), draws());
  const [yes] = tables[0]!.cells;
  expect(yes).toMatchObject({ estimate: 0, low: 0, count: 0 });
  const high = totals.ADULTS!.high;
  expect(yes!.high).toBe(high === null ? null : Math.min(high, (high * 3 * designEffect!) / 4));
});

test('a question that was not asked has no total, and its cells have no figures', () => {
  const table: TotalBreakdown = { key: 'type', total: 'PERSONS', cells: [cell('a', [1, 1, NOBODY, 1])] };
  const { totals, tables } = estimatePopulationTotals(
    population([table], { totals: { PERSONS: null, HOUSEHOLDS: null } }),
    draws(),
  );
  expect(totals).toMatchObject({ PERSONS: null, HOUSEHOLDS: null });
  expect(tables[0]!.cells[0]).toMatchObject({ estimate: null, low: null, high: null });
});

test('people missing from a table are distributed over its cells like the others', () => {
  const cells = [cell('a', [1, 0, NOBODY, 0]), cell('b', [0, 1, 0, 1])];
  const { tables, totals } = estimatePopulationTotals(
    population([{ key: 't', total: 'ADULTS', cells }]),
    null,
  );
  const [a, b] = tables[0]!.cells;
  const weights = [1 / 10, 1 / 5 + 1 / 4] as const;
  const share = weights[0] / (weights[0] + weights[1]);
  expect(Math.abs(a!.estimate! - share * totals.ADULTS!.estimate!)).toBeLessThan(1);
  expect(a!.estimate! + b!.estimate!).toBe(Math.round(totals.ADULTS!.estimate!));
});

test('there is no total if nobody gave the counted answer', () => {
  const nobody = { has: Int8Array.from([0, 0, 0, 0]), known: 60, knownLow: null, knownHigh: null };
  const table: TotalBreakdown = { key: 't', total: 'ADULTS', cells: [cell('a', [1, 1, 1, 1])] };
  const { totals, tables } = estimatePopulationTotals(population([table], { multiplier: nobody }), draws());
  expect(totals.ADULTS).toEqual({ estimate: null, low: null, high: null });
  expect(tables[0]!.cells[0]).toMatchObject({ estimate: null, low: null, high: null });
});

test('an uncertain known number widens the interval', () => {
  const exact = estimatePopulationTotals(population([]), draws(400)).totals.ADULTS!;
  const { multiplier } = population([]);
  const uncertain = { ...multiplier, knownLow: 30, knownHigh: 120 };
  const wide = estimatePopulationTotals(population([], { multiplier: uncertain }), draws(400)).totals.ADULTS!;
  expect(wide.estimate).toBe(exact.estimate);
  expect(wide.low!).toBeLessThan(exact.low!);
});

const figures = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 12 });

test('rounded numbers add up, and none is further than 1 from its figure without floors', () => {
  fc.assert(
    fc.property(figures, (values) => {
      const total = Math.round(values.reduce((all, one) => all + one, 0));
      const rounded = roundedToTotal(values, total);
      const sum = values.reduce((all, one) => all + one, 0);
      if (sum > 0) expect(rounded.reduce((all, one) => all + one, 0)).toBe(total);
      for (const [at, one] of rounded.entries())
        if (sum > 0) expect(Math.abs(one - (values[at]! / sum) * total)).toBeLessThan(1 + 1e-9 * total);
    }),
  );
});

test('rounded numbers are never below the number of people interviewed, if the total leaves room', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 100, noNaN: true }), fc.integer({ min: 0, max: 5 })), {
        minLength: 2,
        maxLength: 8,
      }),
      (cells) => {
        const total = 60;
        const values = cells.map(([value]) => value);
        if (values.every((value) => value === 0)) return;
        const floors = cells.map(([, floor]) => floor);
        const rounded = roundedToTotal(values, total, floors);
        expect(rounded.reduce((all, one) => all + one, 0)).toBe(total);
        for (const [at, one] of rounded.entries()) expect(one).toBeGreaterThanOrEqual(floors[at]!);
      },
    ),
  );
});

test('no interval leaves its range: not below the people interviewed, not above the total', () => {
  const scenario = fc.record({
    people: fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 40 }),
        has: fc.constantFrom(0, 1, -1),
        adults: fc.integer({ min: 1, max: 4 }),
        children: fc.integer({ min: 0, max: 3 }),
        group: fc.constantFrom('a', 'b', 'c'),
      }),
      { minLength: 3, maxLength: 30 },
    ),
    known: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(scenario, ({ people, known }) => {
      const has = Int8Array.from(people, (one) => one.has);
      const recruiters = Int32Array.from(people, (_, i) => (i < 2 ? -1 : Math.floor(i / 2) - 1));
      const pools = recruitPoolsByClass(
        recruiters,
        recruitmentTree(recruiters),
        classesByAnswerAndSite(Int32Array.from(has), null),
      );
      if (!pools) return;
      const groups = ['a', 'b', 'c'].map((key) =>
        cell(
          key,
          people.map(({ group }) => Number(group === key)),
          people.filter(({ group }) => group === key).length,
        ),
      );
      const counted = estimatePopulationTotals(
        {
          sizes: Float64Array.from(people, ({ size }) => size),
          multiplier: { has, known, knownLow: null, knownHigh: null },
          totals: {
            PERSONS: Float64Array.from(people, ({ adults, children }) => 1 + children / adults),
            HOUSEHOLDS: Float64Array.from(people, ({ adults }) => 1 / adults),
          },
          least: { ADULTS: people.length, PERSONS: people.length, HOUSEHOLDS: 0 },
          tables: [{ key: 'group', total: 'ADULTS', cells: groups }],
        },
        {
          samples: 50,
          confidence: 0.9,
          seed: 3,
          draw: drawAlongChains(pools, Int32Array.from([...has.keys()].filter((i) => has[i]! >= 0)), 3),
        },
      );
      const { totals, tables } = counted;
      for (const one of [...Object.values(totals), ...tables.flatMap(({ cells }) => cells)]) {
        if (one?.estimate == null) continue;
        if (one.low !== null) expect(one.low).toBeLessThanOrEqual(one.estimate);
        if (one.high !== null) expect(one.high).toBeGreaterThanOrEqual(one.estimate);
        expect(one.estimate).toBeGreaterThanOrEqual(0);
      }
      const most = totals.ADULTS?.high ?? null;
      for (const { high } of tables[0]!.cells)
        if (most !== null && high !== null)
          expect(high).toBeLessThanOrEqual(Math.max(most, high === 0 ? 0 : most) + 1);
    }),
    { numRuns: 60 },
  );
});
