/**
 * The change between samples that are too large to calculate at once, from the intervals of both rounds' latest runs.
 */
import { type BoundedFigure, type Bounds, differenceOfIntervals } from '../estimators/difference.ts';
import type { OutcomeAnswers } from '../estimators/outcome.ts';
import type { EstimateInterval, Estimates } from '../results/schema.ts';
import type { ChangedLevel, ChangeEstimates, RoundEstimate } from './job.ts';

export const CHANGE_CONFIDENCE = 0.95;

export interface RoundEstimates {
  outcome: OutcomeAnswers;
  /** With the intervals of the latest runs. */
  estimates: Estimates;
}

/** Each interval is derived from those of both rounds' latest runs, if they have this confidence level. */
export function changeFromRuns(
  levels: readonly ChangedLevel[],
  values: readonly (string | null)[],
  from: RoundEstimates,
  to: RoundEstimates,
): ChangeEstimates {
  const ofFirst = [from, to].map(({ estimates }) => estimates.first);
  const levelChanges = values.map((value, at): ChangedLevel => {
    const change = levels[at]!;
    const [a, b] = [withRun(change.from, value, from), withRun(change.to, value, to)];
    const difference = { ...change.difference, chain: between(a, b, 'chain'), tree: between(a, b, 'tree') };
    const standardised = change.standardised && {
      ...change.standardised,
      interval: standardizedInterval(change.standardised.estimate, value, from, to),
    };
    return { ...change, from: a, to: b, difference, standardised };
  });
  const isThere = ofFirst.every((one) => one !== null);
  return { levels: levelChanges, first: !isThere ? null : ofFirst.includes('TREE') ? 'TREE' : 'CHAIN' };
}

/** A level that nobody in the round chose has the share 0, with standard error 0. */
function withRun(
  side: RoundEstimate,
  value: string | null,
  { estimates, outcome }: RoundEstimates,
): RoundEstimate {
  const nothing = { low: 0, high: 0 };
  if (outcome.kind === 'CATEGORY' && !outcome.levels.includes(value ?? ''))
    return estimates.first === null ? side : { ...side, chain: nothing, tree: nothing };
  const level = estimates.levels.find((one) => one.value === value);
  if (estimates.runConfidence !== CHANGE_CONFIDENCE || !level) return side;
  return { ...side, chain: boundsOf(level.interval), tree: boundsOf(level.cautious) };
}

const boundsOf = (interval: EstimateInterval | null): Bounds | null =>
  interval?.low == null || interval.high == null ? null : { low: interval.low, high: interval.high };

function between(a: RoundEstimate, b: RoundEstimate, by: 'chain' | 'tree'): Bounds | null {
  const [from, to] = [a[by], b[by]];
  if (!from || !to || a.estimate === null || b.estimate === null) return null;
  const { low, high } = differenceOfIntervals(
    { estimate: a.estimate, ...from },
    { estimate: b.estimate, ...to },
  );
  return { low, high };
}

/**
 * For the change standardized to sites. Each run standardizes its round to all of that round's sites with a known size,
 * but the change uses only the sites that both rounds have. So the intervals apply only if these are the same sites.
 */
function standardizedInterval(
  change: number,
  value: string | null,
  from: RoundEstimates,
  to: RoundEstimates,
): Bounds | null {
  const [a, b] = [standardizedRunIn(value, from), standardizedRunIn(value, to)];
  if (!a || !b) return null;
  const { estimate, low, high } = differenceOfIntervals(a, b);
  return Math.abs(estimate - change) < 1e-9 ? { low, high } : null;
}

/** A level that nobody in the round chose has the share 0, with standard error 0. */
function standardizedRunIn(
  value: string | null,
  { estimates: { runConfidence, standardised }, outcome }: RoundEstimates,
): BoundedFigure | null {
  if (runConfidence !== CHANGE_CONFIDENCE) return null;
  if (outcome.kind === 'CATEGORY' && !outcome.levels.includes(value ?? ''))
    return { estimate: 0, low: 0, high: 0 };
  const level = standardised?.levels.find((one) => one.value === value);
  if (level?.estimate == null || level.low == null || level.high == null) return null;
  return { estimate: level.estimate, low: level.low, high: level.high };
}
