/** The inputs of an estimate's warnings, with all thresholds. */
import type { TreeReasons } from '../../estimators/first-interval.ts';
import { LARGE_SHARE } from '../../estimators/successive-sampling.ts';
import type { OutcomeEstimate } from '../estimate.ts';
import type { Interval } from '../schema.ts';

export const THRESHOLDS = {
  /** A share may move by so much; the mean of a number by that part of itself. */
  moved: 0.02,
  /** Also by so many standard errors of what the last quarter adds. */
  movedErrors: 2,
  /**
   * By which the variance of answers is multiplied to tell chance from a finding. The tree bootstrap's own is two to ten
   * times as large, and would let nothing count as a finding.
   */
  designEffect: 2.5,
  chainShare: 0.5,
  waves: 4,
  homophily: 1.5,
  /** Of an interval; of a number as a part of its mean. */
  width: 0.3,
  /** The high end of a count over its low end. */
  countRatio: 2.5,
  sizesMissing: 0.05,
  heaped: 0.6,
  weight: 0.05,
  sampleShare: LARGE_SHARE,
  strangers: 0.05,
  missing: 0.1,
};

export interface WarningsOf {
  estimate: OutcomeEstimate;
  n: number;
  /** By their questionnaire version. */
  askedCount: number;
  sizesMissing: number;
  population: number | null;
  isShare: boolean;
  /** Of answers to `recruiterRelation`; null where it is not asked, or may not be told. */
  strangers: number | null;
  /** [levels] which ones may be told of. */
  shown: readonly boolean[];
  /** [levels] that come first; null where there is none of that level, bounds null where it has no width. */
  intervals: readonly (Bounds | null)[] | null;
  /** [levels] of CHAIN, and null, in the same way. */
  chain: readonly (ChainLevel | null)[] | null;
}

type Bounds = Pick<Interval, 'low' | 'high'>;

interface ChainLevel extends Bounds {
  /** What the interval is of. */
  estimate: number | null;
  reasons?: TreeReasons;
}

export const roundedPercent = (share: number) => `${Math.round(share * 1_000) / 10}%`;
export const roundedFigure = (value: number) => String(Math.round(value * 1_000) / 1_000);
