/**
 * Gile's SS estimator (Gile 2011): models recruitment as drawing people one by one, without replacement, with
 * probability proportional to network size, from a population of known size. If the sample is a large share of the
 * population, it avoids the overcorrection of RDS-II.
 */
import { simulateDrawsByClass } from './draws/many-samples.ts';
import type { Random } from './draws/random.ts';
import { normalizedWeights } from './weights.ts';

const ROUNDS = 6;
const SAMPLES = 500;
/** If the sample is a larger share of the population than this, RDS-II is biased and SS is not. */
export const LARGE_SAMPLING_FRACTION = 0.2;
/** Below this share of the population, drawing with and without replacement is practically the same. */
const SMALL_SHARE = 0.01;

/** The distinct sizes, ascending, and how many respondents report each. */
export interface SizeClasses {
  sizes: Float64Array;
  counts: Float64Array;
  /** [n] class of each row; -1 for excluded rows. */
  classOf: Int32Array;
}

/** `sizes` [n] are above 0, or NaN for excluded rows. */
export function distinctNetworkSizes(sizes: Float64Array): SizeClasses {
  const distinct = Float64Array.from(new Set(sizes.filter((size) => !Number.isNaN(size)))).sort();
  const at = new Map([...distinct].map((size, k) => [size, k]));
  const classOf = Int32Array.from(sizes, (size) => at.get(size) ?? -1);
  const counts = new Float64Array(distinct.length);
  for (const k of classOf) if (k >= 0) counts[k]!++;
  return { sizes: distinct, counts, classOf };
}

/**
 * Rounds `targets` to whole numbers that add up to `total`: rounds half to even, with `least` as the minimum, then
 * corrects one unit at a time in classes drawn in proportion to their shortfall or excess. `targets` must add up to
 * `total`, which must be at least `least` times the number of classes.
 */
export function roundedRandomlyToTotal(
  targets: Float64Array,
  total: number,
  min: number,
  random: Random,
): Float64Array {
  const counts = targets.map((value) => Math.max(min, halfToEven(value)));
  let missing = total - counts.reduce((sum, count) => sum + count, 0);
  const gaps = new Float64Array(targets.length);
  while (missing !== 0) {
    const step = Math.sign(missing);
    let sum = 0;
    for (let k = 0; k < gaps.length; k++) {
      const [want, count] = [targets[k]!, counts[k]!];
      const gap = step < 0 && count <= min ? 0 : Math.max(0, step * (want - count));
      gaps[k] = gap;
      sum += gap;
    }
    // No class is off in this direction (all are at the minimum): draw in proportion to size.
    const weights = sum > 0 ? gaps : counts.map((count) => (step < 0 && count <= min ? 0 : count));
    counts[drawIndex(weights, random)]! += step;
    missing -= step;
  }
  return counts;
}

function halfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest === 0.5) return floor % 2 === 0 ? floor : floor + 1;
  return Math.round(value);
}

/** Draws an index with probability proportional to `weights`; -1 if all are 0. */
export function drawIndex(weights: ArrayLike<number>, random: Random): number {
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += weights[k]!;
  let at = random.uniform() * sum;
  let last = -1;
  for (let k = 0; k < weights.length; k++) {
    if (weights[k] === 0) continue;
    last = k;
    at -= weights[k]!;
    if (at < 0) return k;
  }
  return last;
}

/**
 * [classes] the probability that a person of each class is in the sample, up to a common factor. `population` is at
 * least the number of respondents.
 */
export function inclusionProbabilities(
  { sizes, counts }: SizeClasses,
  population: number,
  random: Random,
): Float64Array {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (population === n) return sizes.map(() => 1);
  let inclusion = sizes.slice();
  if (n / population <= SMALL_SHARE) return inclusion;
  for (let round = 0; round < ROUNDS; round++) {
    const shares = normalizedWeights(counts.map((count, k) => count / inclusion[k]!));
    const people = roundedRandomlyToTotal(
      shares.map((share) => share * population),
      population,
      1,
      random,
    );
    const drawn = simulateDrawsByClass(sizes, people, n, SAMPLES, random);
    const total = SAMPLES * n + n;
    inclusion = counts.map((count, k) => (n * (drawn[k]! + count)) / total / people[k]!);
  }
  return inclusion;
}

/**
 * [n] SS weights, 1 / inclusion probability, summing to 1; 0 for excluded rows. Null if the sample exceeds the
 * population.
 */
export function ssWeights(sizes: Float64Array, population: number, random: Random): Float64Array | null {
  const classes = distinctNetworkSizes(sizes);
  const n = classes.counts.reduce((sum, count) => sum + count, 0);
  if (population < n) return null;
  const inclusion = inclusionProbabilities(classes, population, random);
  return normalizedWeights(Float64Array.from(classes.classOf, (k) => (k < 0 ? 0 : 1 / inclusion[k]!)));
}
