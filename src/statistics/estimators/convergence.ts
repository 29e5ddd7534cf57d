/** Convergence of the estimates while the sample grew, in one pass for any number of steps. */
import { meansByOrder } from './convergence-mean.ts';
import type { Outcome } from './outcome.ts';
import { sharesAmongMet } from './rds1.ts';
import { isUsableSize, type Sample, type Tree } from './sample/sample.ts';

export interface EstimateSoFar {
  /** Known answers so far. */
  known: number;
  /** RDS-II: one figure a level, or the mean; null where nothing is known yet. */
  figures: number[] | null;
  /** RDS-I: one share a level, 0 for one not met yet; null where there is no estimate. Of a number by `byOrder` alone. */
  rds1: number[] | null;
}

/**
 * The estimates of the first `ends[0]`, `ends[1]`, ... of `rows` alone. `rows` are different rows of the sample, `ends`
 * ascend. A size that is missing is the largest so far, as if nothing came after.
 */
export function estimatesSoFar(
  outcome: Outcome,
  sample: Sample,
  rows: ArrayLike<number>,
  ends: readonly number[],
): EstimateSoFar[] {
  const growing = new RunningEstimate(outcome, sample);
  let at = 0;
  return ends.map((end) => {
    for (; at < end; at++) growing.add(rows[at]!);
    return growing.standing();
  });
}

/** Of all up to wave 0, 1, ... the last. */
export function byWave(outcome: Outcome, sample: Sample, { waves }: Tree): EstimateSoFar[] {
  const ends: number[] = [];
  for (const wave of waves) {
    while (ends.length <= wave) ends.push(0);
    if (wave >= 0) ends[wave]!++;
  }
  for (let wave = 1; wave < ends.length; wave++) ends[wave]! += ends[wave - 1]!;
  const rows = Int32Array.from(waves.keys()).sort((a, b) => waves[a]! - waves[b]!);
  return estimatesSoFar(outcome, sample, rows, ends);
}

/** Of the first `step`, 2 `step`, ... n in order of time. */
export function byOrder(outcome: Outcome, sample: Sample, step: number): EstimateSoFar[] {
  const n = sample.ids.length;
  const ends = Array.from({ length: Math.ceil(n / step) }, (_, at) => Math.min(n, (at + 1) * step));
  const standings = estimatesSoFar(outcome, sample, sample.order, ends);
  if (outcome.kind === 'CATEGORY') return standings;
  const means = meansByOrder(outcome, sample, ends);
  return standings.map((standing, at) => ({ ...standing, rds1: means[at]! }));
}

/** Sums over the rows so far; those without a size apart, since what stands for it changes. */
class RunningEstimate {
  private readonly outcome: Outcome;
  private readonly sample: Sample;
  private readonly isIn: Uint8Array;
  /** Recruits so far by row of their recruiter, where that one is not in yet. */
  private readonly early = new Map<number, number[]>();
  private readonly count: Float64Array;
  /** [levels, or 1] 1 / size of those with one, and how many have none. */
  private readonly inverse: Float64Array;
  private readonly bare: Float64Array;
  /** [levels x levels] recruits of a level by recruiters of a level. */
  private readonly moves: Float64Array;
  /** Of a number: sums of value / size, and of the values without a size. */
  private weighted = 0;
  private bareWeighted = 0;
  private largest = 0;

  constructor(outcome: Outcome, sample: Sample) {
    const levels = outcome.kind === 'CATEGORY' ? outcome.levels.length : 1;
    this.outcome = outcome;
    this.sample = sample;
    this.isIn = new Uint8Array(sample.recruiters.length);
    this.count = new Float64Array(levels);
    this.inverse = new Float64Array(levels);
    this.bare = new Float64Array(levels);
    this.moves = new Float64Array(levels * levels);
  }

  add(row: number): void {
    const { outcome, sample } = this;
    const size = sample.reportedSizes[row]!;
    const hasSize = isUsableSize(size);
    if (hasSize && size > this.largest) this.largest = size;
    const value = outcome.kind === 'CATEGORY' ? outcome.codes[row]! : outcome.values[row]!;
    const level = outcome.kind === 'CATEGORY' ? value : Number.isNaN(value) ? -1 : 0;
    if (outcome.kind === 'CATEGORY') this.meet(row);
    if (level < 0) return;
    this.count[level]!++;
    if (hasSize) this.inverse[level]! += 1 / size;
    else this.bare[level]!++;
    if (hasSize) this.weighted += value / size;
    else this.bareWeighted += value;
  }

  /** A recruit counts as soon as both are in: in a file without times a recruit may stand before the recruiter. */
  private meet(row: number): void {
    this.isIn[row] = 1;
    const recruiter = this.sample.recruiters[row]!;
    if (recruiter >= 0) {
      if (this.isIn[recruiter]) this.move(recruiter, row);
      else {
        const waiting = this.early.get(recruiter);
        if (waiting) waiting.push(row);
        else this.early.set(recruiter, [row]);
      }
    }
    for (const recruit of this.early.get(row) ?? []) this.move(row, recruit);
  }

  private move(recruiter: number, recruit: number): void {
    if (this.outcome.kind !== 'CATEGORY') return;
    const [from, to] = [this.outcome.codes[recruiter]!, this.outcome.codes[recruit]!];
    if (from >= 0 && to >= 0) this.moves[from * this.count.length + to]!++;
  }

  standing(): EstimateSoFar {
    const known = this.count.reduce((sum, count) => sum + count, 0);
    if (known === 0) return { known, figures: null, rds1: null };
    const stand = this.largest || 1;
    const weights = this.inverse.map((sum, level) => sum + this.bare[level]! / stand);
    const total = weights.reduce((sum, one) => sum + one, 0);
    if (this.outcome.kind === 'NUMBER')
      return { known, figures: [(this.weighted + this.bareWeighted / stand) / total], rds1: null };
    return {
      known,
      figures: Array.from(weights, (one) => one / total),
      rds1: sharesAmongMet(this.count, weights, this.moves),
    };
  }
}
