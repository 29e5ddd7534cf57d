/** What is hidden from the figures of few people, tried on every small table and on many random ones. */
import fc from 'fast-check';
import { CellSize } from '../../src/analysis/cell-size.ts';
import { hiddenBetween } from '../../src/results/compare-suppression.ts';
import { hiddenAtSite, hiddenBySite } from '../../src/sample/by-site.ts';
import { hiddenAmong, hiddenInTable } from '../../src/sample/small-cells.ts';

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
const turned = <T>(table: readonly (readonly T[])[]) =>
  (table[0] ?? []).map((_, column) => table.map((row) => row[column]!));
/** What a reader who knows the total could work out: one hidden figure alone, or few people behind all of them. */
const isSafe = (counts: readonly number[], hidden: boolean[], smallest: number) => {
  const behind = counts.filter((_, at) => hidden[at]);
  return (
    behind.length === 0 || behind.length === counts.length || (behind.length > 1 && sum(behind) >= smallest)
  );
};

/** Counts, and how many more of each row and column did not give the other answer. */
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

test('a level with few answers is hidden, and the next smallest until no one is found by subtraction', () => {
  expect(hiddenAmong([40, 3, 9, 30], 5)).toEqual([false, true, true, false]);
  expect(hiddenAmong([40, 1, 2, 30], 5)).toEqual([false, true, true, true]);
  expect(hiddenAmong([40, 2, 3, 30], 5)).toEqual([false, true, true, false]);
  expect(hiddenAmong([40, 0, 5], 5)).toEqual([false, false, false]);
  expect(hiddenAmong([40, 0, 4], 5)).toEqual([true, false, true]);
  expect(hiddenAmong([3], 5)).toEqual([true]);
  expect(hiddenAmong([3, 1], 0)).toEqual([false, false]);
});

test('no row and no column of a table leaves a hidden figure alone, or few people behind the hidden ones', () => {
  fc.assert(
    fc.property(tables(6, 6, 30), fc.integer({ min: 0, max: 10 }), ({ counts, people }, smallest) => {
      const { rows, columns, cells } = hiddenInTable(counts, smallest, people);
      const shown = counts.map((row, at) => row.filter((_, column) => !cells[at]![column]));
      expect(shown.flat().every((count) => count === 0 || count >= smallest)).toBe(true);
      for (const [lines, hidden, whole, all] of [
        [counts, cells, rows, people.rows],
        [turned(counts), turned(cells), columns, people.columns],
      ] as const) {
        // Neither by known answers nor by people, which the plain estimates tell.
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

test('hides a group of few people although none of them gave the answer that is compared', () => {
  const people = { rows: [3, 20, 40], columns: [50] };
  expect(hiddenInTable([[0], [15], [35]], 5, people).rows).toEqual([true, true, false]);
});

test('asked either way round the same cells are hidden, with the rows of one as the columns of the other', () => {
  fc.assert(
    fc.property(tables(6, 6, 30), fc.integer({ min: 0, max: 10 }), ({ counts, people }, smallest) => {
      const one = hiddenBetween({ outcome: 'a', by: 'b' }, { counts, people }, smallest);
      const swapped = { rows: people.columns, columns: people.rows };
      const other = hiddenBetween(
        { outcome: 'b', by: 'a' },
        { counts: turned(counts), people: swapped },
        smallest,
      );
      expect(turned(other.cells)).toEqual(one.cells);
    }),
    { numRuns: 500 },
  );
});

test('no small cell is found from all that is told: sums of rows and columns, and both ways to ask', () => {
  fc.assert(
    fc.property(tables(3, 3, 9), fc.integer({ min: 2, max: 6 }), ({ counts, people }, smallest) => {
      const one = hiddenInTable(counts, smallest, people);
      // Then there is nothing left to hide.
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

test('no small cell of a site is found from the answers of all sites and of each, which tell how many answered', () => {
  fc.assert(
    fc.property(tables(4, 3, 9), fc.integer({ min: 2, max: 6 }), ({ counts, people }, smallest) => {
      const { cells } = hiddenBySite(counts, people.rows, smallest);
      const columns = hiddenAmong(turned(counts).map(sum), smallest);
      // The estimates of all sites hide what the table takes for hidden.
      for (const [level, isHidden] of columns.entries())
        if (isHidden) expect(cells.every((row) => row[level])).toBe(true);
      for (const [at, row] of counts.entries()) {
        const isTold = row.every((count, level) => cells[at]![level] || count === 0 || count >= smallest);
        expect(isTold).toBe(true);
      }
      // Of one answer alone there is nothing to find out; and nothing more can be hidden than all.
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
 * Tables that who knows all that is told could take for the real one. If there is any with another number in a cell,
 * there is one with at most one person more or less in each.
 */
function otherTables(
  counts: number[][],
  { rows, columns, cells }: ReturnType<typeof hiddenInTable>,
): number[][][] {
  const places = counts.flatMap((row, a) => row.flatMap((_, b) => (cells[a]![b] ? [[a, b] as const] : [])));
  const found: number[][][] = [];
  const table = counts.map((row) => [...row]);
  const isTold = () =>
    sum(table.flat()) === sum(counts.flat()) &&
    table.every((row, at) => rows[at] || sum(row) === sum(counts[at]!)) &&
    turned(table).every((column, at) => columns[at] || sum(column) === sum(turned(counts)[at]!));
  const go = (at: number) => {
    const [a, b] = places[at] ?? [];
    if (a === undefined || b === undefined) {
      if (isTold()) found.push(table.map((row) => [...row]));
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
  return found;
}

test('a table of two rings joined by one cell does not give that cell away', () => {
  // Each line has two hidden cells, yet the sums alone would tell the 3 that joins the rings.
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

/** [groups][people] numbers, many of them alike. */
const numbers = fc.array(
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 4 })), {
    maxLength: 12,
  }),
  { minLength: 1, maxLength: 6 },
);
const cellOf = (values: readonly number[]) => {
  const cell = new CellSize();
  for (const value of values) cell.add(value);
  return cell;
};

test('the mean of all hidden groups together stands for as many people as that of one group must', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 2, max: 6 }), (groups, smallest) => {
      const cells = groups.map(cellOf);
      const counts = cells.map(({ size }) => [size]);
      const apart = cells.map((cell) => [cell.apart]);
      const rows = groups.map((group) => group.length);
      const bySite = hiddenBySite(counts, rows, smallest, apart);
      const people = { rows, columns: [cellOf(groups.flat()).size] };
      const compared = hiddenBetween({ outcome: 'a', by: 'b' }, { counts, people, apart }, smallest);
      for (const hidden of [bySite, compared].map((one) => one.cells.map(([cell]) => cell!))) {
        // Then the whole itself is all that is left, and hidden by its own rule.
        if (hidden.every(Boolean) || !hidden.includes(true)) continue;
        const left = groups.filter((_, at) => hidden[at]).flat();
        expect(cellOf(left).apart).toBeGreaterThanOrEqual(smallest);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a small group that all say the same does not guard another one', () => {
  const groups = [
    [0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0],
    [0, 1, 2, 3, 4, 5, 6, 0, 1, 2],
    [5, 6, 7, 8, 9, 10, 11, 5, 6, 7, 8],
  ];
  const cells = groups.map(cellOf);
  const { cells: hidden } = hiddenBySite(
    cells.map(({ size }) => [size]),
    groups.map(({ length }) => length),
    3,
    cells.map(({ apart }) => [apart]),
  );
  expect(hidden).toEqual([[true], [false], [true], [false]]);
});

test('a table of sites from an earlier version, which does not tell who says the same, hides every mean beside a hidden one', () => {
  const stored = { levels: [null], counts: [[1], [6], [9], [11]], people: [5, 6, 10, 11] };
  for (const at of stored.people.keys()) expect(hiddenAtSite({ ...stored, at }, 3)).toEqual(new Set([null]));
  const safe = { levels: [null], counts: [[6], [9]], people: [6, 10] };
  expect(hiddenAtSite({ ...safe, at: 0 }, 3)).toEqual(new Set());
});
