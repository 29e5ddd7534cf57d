/** Drawing many samples at once follows the same law as drawing each of them one by one. */

import { simulateDrawsByClass } from '../../src/statistics/estimators/draws/many-samples.ts';
import { type Random, randomStream } from '../../src/statistics/estimators/draws/random.ts';
import { SuccessiveSampler } from '../../src/statistics/estimators/draws/weighted-draw.ts';
import { standardDeviation } from '../../src/statistics/estimators/quantile.ts';

function oneByOne(sizes: Float64Array, people: Float64Array, n: number, samples: number, random: Random) {
  const units = new SuccessiveSampler(sizes, people);
  const draws = new Float64Array(sizes.length);
  for (let sample = 0; sample < samples; sample++) {
    units.refill();
    for (let one = 0; one < n; one++) draws[units.draw(random)]!++;
  }
  return draws;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test.each([
  ['a small share', [1, 2, 5, 20, 100], [300, 200, 100, 40, 7], 50],
  ['a large share', [1, 2, 5, 20, 100], [300, 200, 100, 40, 7], 400],
  ['all but one', [1, 3, 10], [20, 20, 8], 47],
  ['sizes far apart, of which one is used up', [0.001, 1, 10_000], [50, 50, 50], 90],
  ['too few to be drawn at once', [1, 2.5, 7], [2, 3, 1], 3],
])('%s: drawing in batches matches drawing one by one on average', (_, sizeList, peopleList, n) => {
  const [sizes, people] = [Float64Array.from(sizeList), Float64Array.from(peopleList)];
  const batches = (draw: typeof simulateDrawsByClass, name: string) =>
    Array.from({ length: 40 }, (_one, batch) => draw(sizes, people, n, 250, randomStream(3, name, batch)));
  const [quick, plain] = [batches(simulateDrawsByClass, 'quick'), batches(oneByOne, 'plain')];
  for (const batch of quick) expect(batch.reduce((sum, count) => sum + count, 0)).toBe(250 * n);
  for (let k = 0; k < sizes.length; k++) {
    const [a, b] = [quick.map((batch) => batch[k]!), plain.map((batch) => batch[k]!)];
    const error = Math.hypot(standardDeviation(a)!, standardDeviation(b)!) / Math.sqrt(40);
    expect(Math.abs(mean(a) - mean(b))).toBeLessThanOrEqual(4 * error);
  }
});

test('drawing people in proportion to size matches probabilities calculated by hand', () => {
  // Two of the sizes 1, 2 and 7 are drawn; size 1 is left out by 2 then 7, or 7 then 2.
  const out = (2 / 10) * (7 / 8) + (7 / 10) * (2 / 3);
  const draws = simulateDrawsByClass(
    Float64Array.of(1, 2, 7),
    new Float64Array(3).fill(1),
    2,
    40_000,
    randomStream(1),
  );
  expect(draws[0]! / 40_000).toBeCloseTo(1 - out, 2);
});
