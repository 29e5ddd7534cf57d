/** Replicates of an estimate, and the error they imply. */
import jstat from 'jstat';
import { quantileOfSorted, standardDeviation } from '../quantile.ts';

/** How many replicates, and the seed of their random numbers. */
export interface ReplicateRun {
  samples: number;
  seed: number;
  /** Number of the first one, where several threads share the replicates: each has random numbers of its own. */
  first?: number;
  /** Called after each, with how many figures it has. */
  onReplicate?: (figures: number) => void;
}

/** [figures][replicates] of one outcome; a replicate without an estimate is left out and counted. */
export interface Replicates {
  figures: Float64Array[];
  dropped: number;
}

export function collector(
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

export interface Spread {
  se: number;
  /** Of the replicates. */
  mean: number;
  q025: number;
  q975: number;
  /** The interval of the confidence asked for. */
  low: number;
  high: number;
  /** Null where the answers do not vary at all. */
  designEffect: number | null;
  effectiveSize: number | null;
}

export interface SpreadOf {
  /** What the replicates are of. */
  figure: number;
  /** Variance of one answer; with `known` answers, se^2 / (variance / known) is the design effect. */
  variance: number;
  known: number;
  /** What that denominator is multiplied by, such as (N - n) / (N - 1). */
  correction?: number;
  confidence: number;
  /** Percentiles of the replicates, else figure +- z standard errors. */
  percentiles: boolean;
  /** What the standard deviation of the replicates is multiplied by. */
  scale?: number;
  /** A share cannot leave [0, 1]. */
  isShare: boolean;
}

/** All the same but for rounding, as those of one chain that never branches: that is no interval without width, but none. */
export function isWithoutVariation(sorted: Float64Array): boolean {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return most === least || (Number.isFinite(most) && most - least <= 1e-12 * Math.abs(most));
}

/** Null for fewer than two replicates, or where they do not vary. */
export function spreadOf(replicates: Float64Array, of: SpreadOf): Spread | null {
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
    // No sample is worth more interviews than it has.
    effectiveSize: designEffect === null ? null : answerCount / Math.max(1, designEffect),
  };
}
