/** The number of interviews, by outcome and by wave. */
import {
  COMPLETED_BIT,
  COUNTED_BIT,
  FLAGGED_BIT,
  HAS_ISSUES_BIT,
  IN_SAMPLE_BIT,
  type InterviewColumnStore,
  NOT_TAKING_PART_BIT,
  TO_REVIEW_BIT,
} from '../../statistics/study-table/interviews.ts';
import { forEachInterviewWithin, type SitePeriod } from './window.ts';

export function countInterviews(interviews: InterviewColumnStore, window: SitePeriod) {
  const totals = {
    ...{ surveys: 0, completed: 0, inProgress: 0, notTakingPart: 0 },
    ...{ rejected: 0, flagged: 0, toReview: 0, hasIssues: 0 },
  };
  const waves = new Map<number, number>();
  forEachInterviewWithin(interviews, window, (row) => {
    totals.surveys++;
    if (interviews.is(row, COMPLETED_BIT)) totals.completed++;
    else totals.inProgress++;
    if (interviews.is(row, NOT_TAKING_PART_BIT)) totals.notTakingPart++;
    if (interviews.is(row, COUNTED_BIT) && !interviews.is(row, IN_SAMPLE_BIT)) totals.rejected++;
    if (interviews.is(row, FLAGGED_BIT)) totals.flagged++;
    if (interviews.is(row, TO_REVIEW_BIT)) totals.toReview++;
    if (interviews.is(row, HAS_ISSUES_BIT)) totals.hasIssues++;
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
