/** The number of interviews, by outcome and by wave. */
import {
  COMPLETED,
  COUNTED,
  FLAGGED,
  HAS_ISSUES,
  type Interviews,
  REFUSED,
  SAMPLED,
  TO_REVIEW,
} from '../../statistics/study-table/interviews.ts';
import { forEachWithin, type Window } from './window.ts';

export function countInterviews(interviews: Interviews, window: Window) {
  const totals = {
    ...{ surveys: 0, completed: 0, inProgress: 0, notTakingPart: 0 },
    ...{ rejected: 0, flagged: 0, toReview: 0, hasIssues: 0 },
  };
  const waves = new Map<number, number>();
  forEachWithin(interviews, window, (row) => {
    totals.surveys++;
    if (interviews.is(row, COMPLETED)) totals.completed++;
    else totals.inProgress++;
    if (interviews.is(row, REFUSED)) totals.notTakingPart++;
    if (interviews.is(row, COUNTED) && !interviews.is(row, SAMPLED)) totals.rejected++;
    if (interviews.is(row, FLAGGED)) totals.flagged++;
    if (interviews.is(row, TO_REVIEW)) totals.toReview++;
    if (interviews.is(row, HAS_ISSUES)) totals.hasIssues++;
    const wave = interviews.wave[row]!;
    waves.set(wave, (waves.get(wave) ?? 0) + 1);
  });
  return {
    totals,
    // Interviews with an unknown wave come last.
    waves: [...waves]
      .map(([wave, surveys]) => ({ wave: wave < 0 ? null : wave, surveys }))
      .sort((a, b) => (a.wave ?? Number.POSITIVE_INFINITY) - (b.wave ?? Number.POSITIVE_INFINITY)),
  };
}
