/** What is hidden from the figures of few people, tried on every small table and on many random ones. */
import fc from 'fast-check';
import { hiddenAmong, hiddenInTable } from '../../src/sample/small-cells.ts';

const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
/** What a reader who knows the total could work out: one hidden figure alone, or few people behind all of them. */
const isSafe = (counts: number[], hidden: boolean[], smallest: number) => {
  const behind = counts.filter((_, at) => hidden[at]);
  return (
    behind.length === 0 || behind.length === counts.length || (behind.length > 1 && sum(behind) >= smallest)
  );
};

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
  const table = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    );
  fc.assert(
    fc.property(table, fc.integer({ min: 0, max: 10 }), (counts, smallest) => {
      const { rows, cells } = hiddenInTable(counts, smallest);
      const shown = counts.map((row, at) => row.filter((_, column) => !cells[at]![column]));
      expect(shown.flat().every((count) => count === 0 || count >= smallest)).toBe(true);
      expect(isSafe(counts.map(sum), rows, smallest)).toBe(true);
      for (const [at, row] of counts.entries()) {
        expect(rows[at] ? cells[at]!.every(Boolean) : isSafe(row, cells[at]!, smallest)).toBe(true);
      }
      for (const column of counts[0]!.keys()) {
        const of = counts.map((row) => row[column]!);
        expect(
          isSafe(
            of,
            cells.map((row) => row[column]!),
            smallest,
          ),
        ).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
