/** Bootstrap replicates of an estimate, and the standard error and interval that they imply. */
import jstat from 'jstat';
import { quantileOfSorted, standardDeviation } from '../quantile.ts';

/** How many replicates, and the seed of their random numbers. */
export interface ReplicateSettings {
  samples: number;
  seed: number;
  /** Index of the first replicate, if several threads share them: each replicate has random numbers of its own. */
  first?: number;
  /** Called after each replicate with its number of figures. */
  onReplicate?: (figures: number) => void;
}

/** [figures][replicates] for one outcome; replicates without an estimate are left out and counted in `dropped`. */
export interface Replicates {
  figures: Float64Array[];
  dropped: number;
}

export function createReplicateCollector(
  figures: number,
  samples: number,
): { add(values: number[] | null): void; end(): Replicates } {
  const columns = Array.from({ length: figures }, () => new Float64Array(samples));
  let count = 0;
  let dropped = 0;
  return {
    add(values) {
      if (!values) dropped++;
      else {
        for (let k = 0; k < figures; k++) columns[k]![count] = values[k]!;
        count++;
      }
    },
    end: () => ({ figures: columns.map((column) => column.subarray(0, count)), dropped }),
  };
}

export interface ReplicateSpread {
  se: number;
  /** Mean of the replicates. */
  mean: number;
  q025: number;
  q975: number;
  /** The interval with the requested confidence. */
  low: number;
  high: number;
  /** Null if the answers don't vary. */
  designEffect: number | null;
  effectiveSize: number | null;
}

export interface SpreadInput {
  /** The point estimate. */
  figure: number;
  /** Variance of a single answer; with `known` answers, the design effect is se^2 / (variance / known). */
  variance: number;
  known: number;
  /** A factor for that denominator, such as the finite population correction (N - n) / (N - 1). */
  correction?: number;
  confidence: number;
  /** Use percentiles of the replicates; otherwise figure ± z standard errors. */
  percentiles: boolean;
  /** A factor for the standard deviation of the replicates. */
  scale?: number;
  /** Shares are limited to [0, 1]. */
  isShare: boolean;
}

/**
 * Whether all replicates are equal up to rounding errors, as with a single chain that never branches. Then there is no
 * interval, instead of one with width 0.
 */
export function isWithoutVariation(sorted: Float64Array): boolean {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return most === least || (Number.isFinite(most) && most - least <= 1e-12 * Math.abs(most));
}

/** Null with fewer than two replicates, or if they don't vary. */
export function spreadOf(replicates: Float64Array, of: SpreadInput): ReplicateSpread | null {
  const {
    figure,
    variance,
    known: answerCount,
    correction = 1,
    confidence,
    percentiles,
    scale = 1,
    isShare,
  } = of;
  const sorted = replicates.slice().sort();
  const deviation = standardDeviation(sorted);
  if (deviation === null || isWithoutVariation(sorted)) return null;
  const se = scale * deviation;
  const at = (p: number) => quantileOfSorted(sorted, p) ?? figure;
  const tail = (1 - confidence) / 2;
  const reach = jstat.normal.inv(1 - tail, 0, 1) * se;
  const [low, high] = percentiles ? [at(tail), at(1 - tail)] : [figure - reach, figure + reach];
  const simple = (variance / answerCount) * correction;
  const designEffect = simple > 0 && se > 0 ? se ** 2 / simple : null;
  return {
    se,
    mean: sorted.reduce((sum, one) => sum + one, 0) / sorted.length,
    q025: at(0.025),
    q975: at(0.975),
    low: isShare ? Math.max(0, low) : low,
    high: isShare ? Math.min(1, high) : high,
    designEffect,
    // The effective sample size never exceeds the number of answers.
    effectiveSize: designEffect === null ? null : answerCount / Math.max(1, designEffect),
  };
}
