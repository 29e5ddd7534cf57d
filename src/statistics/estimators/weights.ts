/** Weighted means over the known answers, the weights of RDS-II, and unweighted figures. */
import { type CategoryOutcome, isAnswerKnown, type NumberOutcome, type OutcomeAnswers } from './outcome.ts';
import { quantileOfSorted } from './quantile.ts';

const TRIMMED_AT = 0.95;

/**
 * RDS-II weights, proportional to 1 / size (Volz & Heckathorn 2008). `sizes` [n] are above 0, or NaN for excluded rows.
 * The result [n] sums to 1, with 0 for excluded rows.
 */
export function rds2Weights(sizes: Float64Array): Float64Array {
  return normalizedWeights(sizes.map((size) => (Number.isNaN(size) ? 0 : 1 / size)));
}

export function normalizedWeights(weights: Float64Array): Float64Array {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return sum > 0 ? weights.map((weight) => weight / sum) : weights;
}

/** Equal weights for all n rows: the naive estimate. */
export const equalWeights = (n: number): Float64Array => new Float64Array(n).fill(1 / n);

/** [levels] weighted shares of the known answers; null if their total weight is 0. */
export function sharesOf({ levels, codes }: CategoryOutcome, weights: Float64Array): number[] | null {
  const sums = new Array<number>(levels.length).fill(0);
  let total = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code < 0) continue;
    sums[code]! += weights[i]!;
    total += weights[i]!;
  }
  return total > 0 ? sums.map((sum) => sum / total) : null;
}

/** The weighted mean of the known answers; null if their total weight is 0. */
export function weightedMeanOf({ values }: NumberOutcome, weights: Float64Array): number | null {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    sum += weights[i]! * values[i]!;
    total += weights[i]!;
  }
  return total > 0 ? sum / total : null;
}

/** One figure per level, or just the mean for a number; null if no answer is known. */
export function weightedEstimateOf(outcome: OutcomeAnswers, weights: Float64Array): number[] | null {
  if (outcome.kind === 'CATEGORY') return sharesOf(outcome, weights);
  const mean = weightedMeanOf(outcome, weights);
  return mean === null ? null : [mean];
}

/**
 * The variance of a single answer, the baseline of the design effect: p (1 - p), or the weighted variance of a number.
 */
export function outcomeVarianceOf(outcome: OutcomeAnswers, figure: number, weights: Float64Array): number {
  if (outcome.kind === 'CATEGORY') return figure * (1 - figure);
  const mean = weightedMeanOf(outcome, weights) ?? 0;
  let squares = 0;
  let total = 0;
  for (let i = 0; i < outcome.values.length; i++) {
    if (!isAnswerKnown(outcome, i)) continue;
    squares += weights[i]! * (outcome.values[i]! - mean) ** 2;
    total += weights[i]!;
  }
  return total > 0 ? squares / total : 0;
}

/**
 * Caps sizes at their 95th percentile, so that somebody who reported a thousand contacts does not end up with almost no
 * weight.
 */
export function trimmedSizes(sizes: Float64Array): Float64Array {
  const max = quantileOfSorted(sizes.slice().sort(), TRIMMED_AT);
  return max === null ? sizes : sizes.map((size) => Math.min(size, max));
}
