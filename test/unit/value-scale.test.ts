/** The scales of charts: whatever is drawn gets a finite place. */
import { valueScale } from '../../client/src/dashboard/results/chart/value-scale.ts';

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
  test.each(ODD)('a scale of %s gives finite places and ticks', (_, values) => {
    for (const range of [
      [0, 0],
      [110, 20],
      [0, 600],
    ] as [number, number][]) {
      const scale = valueScale({ values, fromZero, range });
      const drawn = [0, 1, ...values.filter((one) => typeof one === 'number' && Number.isFinite(one))];
      const places = [...drawn, ...scale.ticks(4)].map((value) => scale(Number(value)));
      expect(places.filter((place) => !Number.isFinite(place))).toEqual([]);
    }
  });
});
