/** The inputs of an estimate's warnings, with all thresholds. */
import type { TreeReasonEvidence } from '../../estimators/first-interval.ts';
import { LARGE_SAMPLING_FRACTION } from '../../estimators/successive-sampling.ts';
import type { OutcomeEstimate } from '../estimate.ts';
import type { EstimateInterval } from '../schema.ts';

export const WARNING_THRESHOLDS = {
  /** How far a share may move; for the mean of a number, relative to the mean. */
  moved: 0.02,
  /** It must also move by this many standard errors of the last quarter's contribution. */
  movedErrors: 2,
  /**
   * Design effect for the variance of answers, to tell chance from a real finding. The tree bootstrap's own design
   * effect is two to ten times as large, so nothing would count as a finding.
   */
  designEffect: 2.5,
  chainShare: 0.5,
  waves: 4,
  homophily: 1.5,
  /** Width of an interval; for a number, relative to its mean. */
  width: 0.3,
  /** The high end of a count divided by its low end. */
  countRatio: 2.5,
  sizesMissing: 0.05,
  heaped: 0.6,
  weight: 0.05,
  sampleShare: LARGE_SAMPLING_FRACTION,
  strangers: 0.05,
  missing: 0.1,
};

export interface WarningInput {
  estimate: OutcomeEstimate;
  n: number;
  /** People whose questionnaire version has the question. */
  askedCount: number;
  sizesMissing: number;
  population: number | null;
  isShare: boolean;
  /** The share of strangers in the answers to `recruiterRelation`; null if it is not asked or must be hidden. */
  strangers: number | null;
  /** [levels] whether each one may be shown. */
  shown: readonly boolean[];
  /** [levels] the intervals shown first; null for a level without one. Bounds are null if there was no variation. */
  intervals: readonly (Bounds | null)[] | null;
  /** [levels] the intervals of CHAIN, with null in the same cases. */
  chain: readonly (ChainLevel | null)[] | null;
}

type Bounds = Pick<EstimateInterval, 'low' | 'high'>;

interface ChainLevel extends Bounds {
  /** The estimate that the interval belongs to. */
  estimate: number | null;
  reasons?: TreeReasonEvidence;
}

export const roundedPercent = (share: number) => `${Math.round(share * 1_000) / 10}%`;
export const roundedFigure = (value: number) => String(Math.round(value * 1_000) / 1_000);
