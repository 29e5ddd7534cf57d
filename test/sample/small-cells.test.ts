/** Suppression of small cells, tested on every small table and on many random ones. */

import { CellSizeCounter } from '../../src/statistics/estimators/sample/cell-size.ts';
import { hiddenInComparison } from '../../src/statistics/results/compare/compare-suppression.ts';
import { hiddenCellsBySite, hiddenLevelsAtSite } from '../../src/statistics/sample/by-site.ts';
import {
  hiddenInTable,
  hiddenLevels,
  hideAllCells,
  MAX_CROSSTAB_CELLS,
  type OtherTableKnowledge,
  type TableTotals,
} from '../../src/statistics/sample/small-cells.ts';
import fc from '../fast-check.ts';

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
const turned = <T>(table: readonly (readonly T[])[]) =>
  (table[0] ?? []).map((_, column) => table.map((row) => row[column]!));
/** What a reader who knows the total could derive: a single hidden number, or few people in all hidden ones. */
const isSafe = (counts: readonly number[], hidden: boolean[], smallest: number) => {
  const behind = counts.filter((_, at) => hidden[at]);
  return (
    behind.length === 0 || behind.length === counts.length || (behind.length > 1 && sum(behind) >= smallest)
  );
};

/** Counts, and how many others of each row and column did not give the answer. */
const tables = (rows: number, columns: number, most: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: rows }), fc.integer({ min: 1, max: columns }))
    .chain(([height, width]) => {
      const line = (length: number, upTo: number) =>
        fc.array(fc.integer({ min: 0, max: upTo }), { minLength: length, maxLength: length });
      return fc
        .tuple(
          fc.array(line(width, most), { minLength: height, maxLength: height }),
          line(height, 4),
          line(width, 4),
        )
        .map(([counts, beside, below]) => ({
          counts,
          people: {
            rows: counts.map((row, at) => sum(row) + beside[at]!),
            columns: turned(counts).map((column, at) => sum(column) + below[at]!),
          },
        }));
    });

test('a small level is hidden with the next smallest, until none can be derived by subtraction', () => {
  expect(hiddenLevels([40, 3, 9, 30], 5)).toEqual([false, true, true, false]);
  expect(hiddenLevels([40, 1, 2, 30], 5)).toEqual([false, true, true, true]);
  expect(hiddenLevels([40, 2, 3, 30], 5)).toEqual([false, true, true, false]);
  expect(hiddenLevels([40, 0, 5], 5)).toEqual([false, false, false]);
  expect(hiddenLevels([40, 0, 4], 5)).toEqual([true, false, true]);
  expect(hiddenLevels([3], 5)).toEqual([true]);
  expect(hiddenLevels([3, 1], 0)).toEqual([false, false]);
});

test('no row or column has a single hidden cell or few people in its hidden cells', () => {
  fc.assert(
    fc.property(tables(6, 6, 30), fc.integer({ min: 0, max: 10 }), ({ counts, people }, smallest) => {
      const { rows, columns, cells } = hiddenInTable(counts, smallest, people);
      const visibleCounts = counts.map((row, at) => row.filter((_, column) => !cells[at]![column]));
      expect(visibleCounts.flat().every((count) => count === 0 || count >= smallest)).toBe(true);
      for (const [lines, hidden, whole, all] of [
        [counts, cells, rows, people.rows],
        [turned(counts), turned(cells), columns, people.columns],
      ] as const) {
        // Neither known answers nor people, which the plain estimates show.
        for (const totals of [lines.map(sum), all]) {
          const isAnySmall = totals.some((one, at) => whole[at] && one > 0 && one < smallest);
          expect(!isAnySmall || isSafe(totals, whole, smallest)).toBe(true);
        }
        expect(all.every((one, at) => one === 0 || one >= smallest || whole[at])).toBe(true);
        for (const [at, line] of lines.entries())
          expect(whole[at] ? hidden[at]!.every(Boolean) : isSafe(line, hidden[at]!, smallest)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

const LARGE = '20 30 10 | 40 50 10 | 60 70 10';

// Counts by row, with `#` after those that must be hidden.
test.each<[string, string, OtherTableKnowledge & { people?: TableTotals }]>([
  ['nothing if no cell is small', LARGE, {}],
  ['the next smallest cell of the same row and column', '2# 9# 30 | 20# 25# 40 | 20 24 40', {}],
  ['no third cell of a row with two small ones', '2# 4# 30 | 20# 25# 40 | 20 24 40', {}],
  ['zeros last', '2# 0 30 9# | 20# 25# 40 0 | 20# 24# 40 7#', {}],
  [
    'a large cell rather than a smaller one whose column hides nothing yet',
    '2# 9# 30 | 20# 8# 40 | 20 24 40 | 1# 60# 10',
    {},
  ],
  ['cells in the same two columns for two small ones', '2# 50# 60 | 70# 3# 80 | 90 95 99', {}],
  [
    'one more cell if the sums alone would reveal a small one',
    '4# 4# 40# 40 | 4# 4# 3# 40 | 40 40 4# 4# | 40 40 4# 4#',
    {},
  ],
  ['a row with few answers, and the next smallest row', '3# 0# | 30# 20# | 40 40', {}],
  [
    'a row with few people, and the next smallest row',
    '9# 9# | 30 20 | 40# 40#',
    { people: { rows: [18, 50, 3], columns: [90, 90] } },
  ],
  [
    'a small row with another one if row totals are known',
    '3# 1# | 30# 20# | 40 40',
    { areRowsPublic: true },
  ],
  ['a small row with another one in a single column', '3# | 30# | 40', { areRowsPublic: true }],
  [
    'a larger group instead of one whose answers are all equal',
    '2# | 9 | 30# | 40',
    { people: { rows: [10, 20, 40, 50], columns: [81] }, apart: [[1], [0], [20], [30]] },
  ],
  [
    'a cell that another table hides, and three more',
    '20# 30 10# | 40# 50 10# | 60 70 10',
    { hidden: { cells: [[true]] } },
  ],
  [
    'a row that another table hides, and one more row',
    '20# 30# 10# | 40# 50# 10# | 60 70 10',
    { hidden: { rows: [true] } },
  ],
  [
    'a column that another table hides, and one more column',
    '20# 30 10# | 40# 50 10# | 60# 70 10#',
    { hidden: { columns: [true] } },
  ],
])('a table hides %s', (_what, table, { people, ...beside }) => {
  const counts = table.split(' | ').map((row) => row.split(' ').map((cell) => Number.parseInt(cell, 10)));
  const totals = people ?? { rows: counts.map(sum), columns: turned(counts).map(sum) };
  const { cells } = hiddenInTable(counts, 5, totals, beside);
  const rowTexts = counts.map((row, a) =>
    row.map((count, b) => `${count}${cells[a]![b] ? '#' : ''}`).join(' '),
  );
  expect(rowTexts.join(' | ')).toBe(table);
});

test('a table of more than 10,000 cells is hidden whole, unless everything may be shown', () => {
  const table = (rows: number) => Array.from({ length: rows }, () => new Array<number>(100).fill(50));
  const hiddenOf = (rows: number, smallest: number) =>
    hiddenInTable(table(rows), smallest, {
      rows: new Array<number>(rows).fill(5_000),
      columns: new Array<number>(100).fill(50 * rows),
    });
  expect(MAX_CROSSTAB_CELLS).toBe(10_000);
  expect(hiddenOf(101, 5)).toEqual(hideAllCells(101, 100));
  expect(hiddenOf(101, 5).cells.flat().every(Boolean)).toBe(true);
  expect(hiddenOf(101, 0).cells.flat().some(Boolean)).toBe(false);
  expect(hiddenOf(100, 5).cells.flat().some(Boolean)).toBe(false);
});

test('a small group is hidden even if none of them gave the compared answer', () => {
  const people = { rows: [3, 20, 40], columns: [50] };
  expect(hiddenInTable([[0], [15], [35]], 5, people).rows).toEqual([true, true, false]);
});

test('a table and its transpose hide the same cells', () => {
  fc.assert(
    fc.property(tables(6, 6, 30), fc.integer({ min: 0, max: 10 }), ({ counts, people }, smallest) => {
      const one = hiddenInComparison({ outcome: 'a', by: 'b' }, { counts, people }, smallest);
      const swapped = { rows: people.columns, columns: people.rows };
      const other = hiddenInComparison(
        { outcome: 'b', by: 'a' },
        { counts: turned(counts), people: swapped },
        smallest,
      );
      expect(turned(other.cells)).toEqual(one.cells);
    }),
    { numRuns: 500 },
  );
});

test('no small cell can be derived from row and column sums and the transposed table', () => {
  fc.assert(
    fc.property(tables(3, 3, 9), fc.integer({ min: 2, max: 6 }), ({ counts, people }, smallest) => {
      const one = hiddenInTable(counts, smallest, people);
      // In this case there is nothing to hide.
      if (one.cells.flat().every(Boolean)) return;
      const isSmall = (count: number) => count > 0 && count < smallest;
      const others = otherTables(counts, one);
      for (const [a, row] of counts.entries())
        for (const [b, count] of row.entries())
          if (isSmall(count)) expect(others.some((table) => table[a]![b] !== count)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test('no small cell of a site can be derived from the answers of all sites', () => {
  fc.assert(
    fc.property(tables(4, 3, 9), fc.integer({ min: 2, max: 6 }), ({ counts, people }, smallest) => {
      const { cells } = hiddenCellsBySite(counts, people.rows, smallest);
      const columns = hiddenLevels(turned(counts).map(sum), smallest);
      // The estimates of all sites hide what is hidden in the table.
      for (const [level, isHidden] of columns.entries())
        if (isHidden) expect(cells.every((row) => row[level])).toBe(true);
      for (const [at, row] of counts.entries()) {
        const isTold = row.every((count, level) => cells[at]![level] || count === 0 || count >= smallest);
        expect(isTold).toBe(true);
      }
      // With only one answer there is nothing to derive; and no more than everything can be hidden.
      if (columns.length < 2 || cells.flat().every(Boolean)) return;
      const others = otherTables(counts, { rows: [], columns, cells });
      for (const [a, row] of counts.entries())
        for (const [b, count] of row.entries())
          if (count > 0 && count < smallest)
            expect(others.some((table) => table[a]![b] !== count)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

/**
 * Tables that are consistent with everything that is published. If any of them has another number in a cell, there is
 * one that differs by at most one person in each cell.
 */
function otherTables(
  counts: number[][],
  { rows, columns, cells }: ReturnType<typeof hiddenInTable>,
): number[][][] {
  const places = counts.flatMap((row, a) => row.flatMap((_, b) => (cells[a]![b] ? [[a, b] as const] : [])));
  const tablesFound: number[][][] = [];
  const table = counts.map((row) => [...row]);
  const isTold = () =>
    sum(table.flat()) === sum(counts.flat()) &&
    table.every((row, at) => rows[at] || sum(row) === sum(counts[at]!)) &&
    turned(table).every((column, at) => columns[at] || sum(column) === sum(turned(counts)[at]!));
  const go = (at: number) => {
    const [a, b] = places[at] ?? [];
    if (a === undefined || b === undefined) {
      if (isTold()) tablesFound.push(table.map((row) => [...row]));
      return;
    }
    for (const more of [0, 1, -1]) {
      if (counts[a]![b]! + more < 0) continue;
      table[a]![b] = counts[a]![b]! + more;
      go(at + 1);
    }
    table[a]![b] = counts[a]![b]!;
  };
  go(0);
  return tablesFound;
}

test('a table with one bridging cell does not reveal it', () => {
  // Each line has two hidden cells, but the sums alone would reveal the 3 that connects the rings.
  const counts = [
    [4, 4, 40, 40],
    [4, 4, 3, 40],
    [40, 40, 4, 4],
    [40, 40, 4, 4],
  ];
  const people = { rows: counts.map(sum), columns: turned(counts).map(sum) };
  const others = otherTables(counts, hiddenInTable(counts, 5, people));
  expect(others.some((table) => table[1]![2] !== 3)).toBe(true);
});

/** [groups][people] numbers, many of them equal. */
const numbers = fc.array(
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 4 })), {
    maxLength: 12,
  }),
  { minLength: 1, maxLength: 6 },
);
const cellOf = (values: readonly number[]) => {
  const cell = new CellSizeCounter();
  for (const value of values) cell.add(value);
  return cell;
};

test('the mean of all hidden groups together has at least the smallest cell size', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 2, max: 6 }), (groups, smallest) => {
      const cells = groups.map(cellOf);
      const counts = cells.map(({ size }) => [size]);
      const apart = cells.map((cell) => [cell.apart]);
      const rows = groups.map((group) => group.length);
      const bySite = hiddenCellsBySite(counts, rows, smallest, apart);
      const people = { rows, columns: [cellOf(groups.flat()).size] };
      const compared = hiddenInComparison({ outcome: 'a', by: 'b' }, { counts, people, apart }, smallest);
      for (const hidden of [bySite, compared].map((one) => one.cells.map(([cell]) => cell!))) {
        // In this case only the total is left, which its own rule hides.
        if (hidden.every(Boolean) || !hidden.includes(true)) continue;
        const hiddenGroups = groups.filter((_, at) => hidden[at]).flat();
        expect(cellOf(hiddenGroups).apart).toBeGreaterThanOrEqual(smallest);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a small group with equal answers does not protect another one', () => {
  const groups = [
    [0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0],
    [0, 1, 2, 3, 4, 5, 6, 0, 1, 2],
    [5, 6, 7, 8, 9, 10, 11, 5, 6, 7, 8],
  ];
  const cells = groups.map(cellOf);
  const { cells: hidden } = hiddenCellsBySite(
    cells.map(({ size }) => [size]),
    groups.map(({ length }) => length),
    3,
    cells.map(({ apart }) => [apart]),
  );
  expect(hidden).toEqual([[true], [false], [true], [false]]);
});

test('a site table of an earlier version hides every mean next to a hidden one', () => {
  const stored = { levels: [null], counts: [[1], [6], [9], [11]], people: [5, 6, 10, 11] };
  for (const at of stored.people.keys())
    expect(hiddenLevelsAtSite({ ...stored, at }, 3)).toEqual(new Set([null]));
  const safe = { levels: [null], counts: [[6], [9]], people: [6, 10] };
  expect(hiddenLevelsAtSite({ ...safe, at: 0 }, 3)).toEqual(new Set());
});
