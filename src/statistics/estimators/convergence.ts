/** Convergence: the estimates from the first respondents only, as the sample grew. */
import { type CategoryOutcome, type OutcomeAnswers, quantileGroupsOf } from './outcome.ts';
import { rds1SharesFromSums, rds1Weights } from './rds1.ts';
import { imputedNetworkSizes, type Sample, type SampleTree } from './sample/sample.ts';
import { rds2Weights, weightedEstimateOf } from './weights.ts';

export interface ConvergenceEstimate {
  /** Known answers so far. */
  known: number;
  /** RDS-II: one figure per level, or the mean; null if nothing is known yet. */
  figures: number[] | null;
  /** RDS-I: one share per level, 0 for levels that haven't occurred yet, or the mean; null if there is no estimate. */
  rds1: number[] | null;
}

/** Limited, because each point is calculated from scratch. */
const MAX_POINTS = 100;

/** Number of respondents between two points. */
export const convergenceStepOf = (n: number): number => 25 * Math.ceil(n / (25 * MAX_POINTS));

/** Estimates up to wave 0, 1, ..., the last. */
export function estimatesByWave(
  outcome: OutcomeAnswers,
  sample: Sample,
  { waves }: SampleTree,
): ConvergenceEstimate[] {
  const rows = Int32Array.from(waves.keys()).sort((a, b) => waves[a]! - waves[b]!);
  const ends: number[] = [];
  for (const [at, row] of rows.entries()) ends[waves[row]!] = at + 1;
  return estimatesSoFar(outcome, sample, rows, ends);
}

/** Estimates from the first `step`, 2 `step`, ..., n respondents in order of time. */
export function estimatesByOrder(
  outcome: OutcomeAnswers,
  sample: Sample,
  step: number,
): ConvergenceEstimate[] {
  const n = sample.order.length;
  const ends = Array.from({ length: Math.ceil(n / step) }, (_, at) => Math.min(n, (at + 1) * step));
  return estimatesSoFar(outcome, sample, sample.order, ends);
}

/**
 * Estimates from only the first `ends[0]`, `ends[1]`, ... of `rows`: someone whose recruiter isn't among them counts as
 * a seed, and missing sizes are replaced by the largest size among them.
 */
export function estimatesSoFar(
  outcome: OutcomeAnswers,
  { recruiters, reportedSizes }: Sample,
  rows: Int32Array,
  ends: readonly number[],
): ConvergenceEstimate[] {
  const place = new Int32Array(rows.length);
  for (const [at, row] of rows.entries()) place[row] = at;
  const codes = outcome.kind === 'CATEGORY' ? rows.map((row) => outcome.codes[row]!) : null;
  const values = outcome.kind === 'NUMBER' ? Float64Array.from(rows, (row) => outcome.values[row]!) : null;
  const recruiterAt = rows.map((row) => place[recruiters[row]!] ?? -1);
  const reported = Float64Array.from(rows, (row) => reportedSizes[row]!);
  return ends.map((end) => {
    const arrays = { codes: codes?.subarray(0, end), values: values?.subarray(0, end) };
    const part = { ...outcome, ...arrays } as OutcomeAnswers;
    return estimateOf(part, recruiterAt, imputedNetworkSizes(reported.subarray(0, end)));
  });
}

function estimateOf(part: OutcomeAnswers, recruiters: Int32Array, sizes: Float64Array): ConvergenceEstimate {
  const category = part.kind === 'CATEGORY' ? part : quantileGroupsOf(part).category;
  const answerCount = category.codes.reduce((sum, code) => (code < 0 ? sum : sum + 1), 0);
  const shares = answerCount > 0 ? sharesSoFar(category, recruiters, sizes) : null;
  const isMean = shares !== null && part.kind === 'NUMBER';
  return {
    known: answerCount,
    figures: weightedEstimateOf(part, rds2Weights(sizes)),
    rds1: isMean ? weightedEstimateOf(part, rds1Weights(category, shares)) : shares,
  };
}

/** Levels that don't occur among them are ignored. */
function sharesSoFar({ levels, codes }: CategoryOutcome, recruiters: Int32Array, sizes: Float64Array) {
  const counts = new Float64Array(levels.length);
  const inverse = new Float64Array(levels.length);
  const moves = new Float64Array(levels.length ** 2);
  for (let row = 0; row < codes.length; row++) {
    const to = codes[row]!;
    if (to < 0) continue;
    counts[to]!++;
    inverse[to]! += 1 / sizes[row]!;
    const from = codes[recruiters[row]!] ?? -1;
    if (from >= 0) moves[from * levels.length + to]!++;
  }
  return rds1SharesFromSums(counts, inverse, moves);
}
