/** Warnings about the figures of one outcome: how they moved, how wide their interval is, how their chains differ. */
import { doChainsDiffer } from '../../estimators/first-interval.ts';
import type { OutcomeEstimate } from '../estimate.ts';
import type { EstimateWarning } from '../schema.ts';
import { roundedFigure, roundedPercent, WARNING_THRESHOLDS, type WarningInput } from './warning-inputs.ts';

export function* outcomeWarnings({
  estimate,
  askedCount,
  shown: isVisible,
  isShare,
}: WarningInput): Generator<EstimateWarning> {
  const { ssLow, ssHigh } = estimate.figures;
  const gap = isShare ? roundedFigure : roundedPercent;
  const moved = largestMove(estimate, isVisible, isShare);
  if (moved > WARNING_THRESHOLDS.moved)
    yield {
      code: 'STILL_MOVING',
      value: moved,
      message: `The last quarter of the interviews changed the RDS-II estimate by ${gap(moved)}, more than chance explains. It hasn’t settled. Collect more interviews before you report it.`,
    };
  const matters = Math.max(0, ...gaps(ssLow, ssHigh, isVisible, isShare));
  if (matters > WARNING_THRESHOLDS.moved)
    yield {
      code: 'POPULATION_MATTERS',
      value: matters,
      message: `The SS estimate changes by ${gap(matters)} between the lowest and the highest population size. Report both, or find out more about the size.`,
    };
  const missing = askedCount > 0 ? (askedCount - estimate.known) / askedCount : 0;
  if (missing > WARNING_THRESHOLDS.missing)
    yield {
      code: 'FEW_KNOWN',
      value: missing,
      message: `${roundedPercent(missing)} gave no answer. The estimate assumes they are like the others. Find out who doesn’t answer, and why.`,
    };
}

export function* intervalWarnings({
  estimate,
  shown: isVisible,
  isShare,
  intervals,
}: WarningInput): Generator<EstimateWarning> {
  const visibleIntervals = (intervals ?? []).map((one, level) => (isVisible[level] ? one : null));
  const widths = visibleIntervals.map((one, level) => {
    const { low = null, high = null } = one ?? {};
    if (low === null || high === null) return 0;
    const mean = Math.abs(estimate.figures.rds2?.[level] ?? 0);
    return isShare || high === low ? high - low : (high - low) / mean;
  });
  const widest = Math.max(0, ...widths.filter(Number.isFinite));
  if (widest > WARNING_THRESHOLDS.width) {
    const wide = isShare
      ? `${roundedFigure(100 * widest)} percentage points`
      : `${roundedPercent(widest)} of the mean`;
    yield {
      code: 'NOT_PRECISE',
      value: widest,
      message: `The interval is ${wide} wide. Publish it with the estimate. More interviews and longer chains make it narrower; more seeds don’t.`,
    };
  } else if (visibleIntervals.some((one) => one?.low === null))
    yield {
      code: 'NOT_PRECISE',
      value: 0,
      message:
        'There is no interval because all bootstrap replicates are the same. Report this with the estimate. To get an interval, you need people with different answers in each chain.',
    };
}

export function* chainWarnings({ shown: isVisible, chain }: WarningInput): Generator<EstimateWarning> {
  const levels = (chain ?? []).map((one, level) => (isVisible[level] ? one : null));
  const differing = levels.flatMap((one) => {
    const { chainsDiffer } = one?.reasons ?? {};
    if (!chainsDiffer || !doChainsDiffer(one!.reasons!, levels.length)) return [];
    return [chainsDiffer.statistic / chainsDiffer.degrees];
  });
  if (differing.length > 0)
    yield {
      code: 'SEEDS_DIFFER',
      value: Math.max(...differing),
      message: `The chains differ from each other ${roundedFigure(Math.max(...differing))} times as much as chance explains. The estimate still depends on where each chain began. Publish the wide interval, look for what separates the chains, and report these groups separately.`,
    };
  const outside = levels.flatMap((one) => {
    const { estimate = null, low = null, high = null } = one ?? {};
    if (estimate === null || low === null || high === null) return [];
    return estimate < low ? [low - estimate] : estimate > high ? [estimate - high] : [];
  });
  if (outside.length > 0)
    yield {
      code: 'GROUPS_RECRUIT_DIFFERENTLY',
      value: Math.max(...outside),
      message:
        'People in one group brought in more recruits than others. RDS-II doesn’t correct for this, RDS-I does: use RDS-I, and say so.',
    };
}

/**
 * [levels] the differences between two figures, relative to the larger one for a number; 0 for levels that are not
 * shown.
 */
function gaps(
  one: readonly number[] | null,
  other: readonly number[] | null,
  isVisible: readonly boolean[],
  isShare: boolean,
): number[] {
  if (!one || !other) return [];
  return one.map((value, level) => (isVisible[level] ? gapOf(value, other[level]!, isShare) : 0));
}

function gapOf(one: number, other: number, isShare: boolean): number {
  const gap = Math.abs(one - other);
  return isShare || gap === 0 ? gap : gap / Math.max(Math.abs(one), Math.abs(other));
}

/**
 * The largest move in the last quarter of the interviews, if it is more than chance explains for that many more
 * answers.
 */
function largestMove(
  { quarterAgo, figures, known: answerCount, variances }: OutcomeEstimate,
  ...how: [readonly boolean[], boolean]
) {
  const [{ rds2 }, before] = [figures, quarterAgo.figures];
  const moves = gaps(before, rds2, ...how).filter((_, level) => {
    const added = 1 / quarterAgo.known - 1 / answerCount;
    const error = Math.sqrt(WARNING_THRESHOLDS.designEffect * variances![level]! * added);
    return Math.abs(rds2![level]! - before![level]!) > WARNING_THRESHOLDS.movedErrors * error;
  });
  return Math.max(0, ...moves);
}
