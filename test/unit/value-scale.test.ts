/** The reach of charts' axes: whatever is drawn gets a finite place. */
import { axisRangeOf } from '../../client/src/dashboard/results/chart/value-scale.ts';

const ODD: [string, (number | null | undefined)[]][] = [
  ['no value', []],
  ['only missing values', [null, undefined]],
  ['one value', [0.4]],
  ['only zeros', [0, 0]],
  ['one value several times', [7, 7, 7]],
  ['values below zero', [-3, -3]],
  ['no number', [Number.NaN, 2]],
  ['no end', [Number.POSITIVE_INFINITY, 2]],
  ['the largest numbers', [-Number.MAX_VALUE, Number.MAX_VALUE]],
];

describe.each([true, false])('with zero: %s', (fromZero) => {
  test.each(ODD)(
    'an axis for %s has two different finite ends, and their distance is finite',
    (_, values) => {
      const [from, to] = axisRangeOf(values, fromZero);
      expect(Number.isFinite(from) && Number.isFinite(to - from)).toBe(true);
      if (!fromZero || values.some((one) => (one ?? 0) > 0)) expect(to).toBeGreaterThan(from);
    },
  );
});
