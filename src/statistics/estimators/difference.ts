/** The difference between two independent samples, for example two rounds of a study. */
import { percentileInterval } from './quantile.ts';

export interface Bounds {
  low: number;
  high: number;
}

export interface BoundedFigure extends Bounds {
  estimate: number;
}

/** From the replicates of both samples, which must have different random seeds: `to` minus `from`, pairwise. */
export function differenceInterval(
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  confidence: number,
): Bounds | null {
  const samples = Math.min(from.length, to.length);
  const sorted = Float64Array.from({ length: samples }, (_, at) => to[at]! - from[at]!).sort();
  return percentileInterval(sorted, confidence);
}

/** From the two intervals alone (MOVER; Zou & Donner 2008). */
export function differenceOfIntervals(from: BoundedFigure, to: BoundedFigure): BoundedFigure {
  const estimate = to.estimate - from.estimate;
  return {
    estimate,
    low: estimate - Math.hypot(to.estimate - to.low, from.high - from.estimate),
    high: estimate + Math.hypot(to.high - to.estimate, from.estimate - from.low),
  };
}
