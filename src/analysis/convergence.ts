/** How the RDS-II estimate moved while the sample grew. */
import { isKnown, type Outcome } from './outcome.ts';
import { replacedSizes, type Sample, type Tree } from './sample.ts';
import { estimate, rds2Weights } from './weights.ts';

export interface Standing {
  /** Known answers so far. */
  known: number;
  /** One figure a level, or the mean; null where nothing is known yet. */
  figures: number[] | null;
}

/** RDS-II of these rows alone: a size that is missing is then the largest of these. */
export function rds2Among(outcome: Outcome, reportedSizes: Float64Array, rows: readonly number[]): Standing {
  const weights = rds2Weights(replacedSizes(reportedSizes, rows));
  return {
    known: rows.reduce((sum, row) => sum + (isKnown(outcome, row) ? 1 : 0), 0),
    figures: estimate(outcome, weights),
  };
}

/** Of all up to wave 0, 1, ... the last. */
export function byWave(outcome: Outcome, sample: Sample, { waves }: Tree): Standing[] {
  const last = waves.reduce((most, wave) => Math.max(most, wave), -1);
  const rows = [...sample.ids.keys()];
  return Array.from({ length: last + 1 }, (_, wave) =>
    rds2Among(
      outcome,
      sample.reportedSizes,
      rows.filter((row) => waves[row]! <= wave),
    ),
  );
}

/** Of the first `step`, 2 `step`, ... n in order of time. */
export function byOrder(outcome: Outcome, sample: Sample, step: number): Standing[] {
  const n = sample.ids.length;
  return Array.from({ length: Math.ceil(n / step) }, (_, at) =>
    rds2Among(outcome, sample.reportedSizes, [...sample.order.subarray(0, (at + 1) * step)]),
  );
}
