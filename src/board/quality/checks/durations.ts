/** TOO_FAST and TOO_LONG: the duration of an interview, compared with others that used the same questionnaire. */
import type { InterviewColumnStore } from '../../../statistics/study-table/interviews.ts';
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { arrivalTimeOf, type Finding, isClockRight, roundTo, surveyFinding } from '../finding.ts';
import { CHECK_THRESHOLDS } from '../rules.ts';
import { comparableInterviews, type SameVersionInterviews } from './comparable.ts';

const MINUTE = 60_000;

export function findOddDurations({ interviews }: StudyTable): Finding[] {
  return comparableInterviews(interviews, (row) => durationOf(interviews, row)).flatMap((compared) => {
    const median = compared.quantile(0.5);
    const [min, max] = [CHECK_THRESHOLDS.TOO_FAST.share * median, CHECK_THRESHOLDS.TOO_LONG.times * median];
    return findDurationsBeyond(interviews, compared, min, max);
  });
}

/** In milliseconds; NaN if the clock was wrong. */
function durationOf(interviews: InterviewColumnStore, row: number): number {
  const took = interviews.completedAt[row]! - interviews.startedAt[row]!;
  return isClockRight(interviews, row) ? took : Number.NaN;
}

function findDurationsBeyond(
  interviews: InterviewColumnStore,
  { rows, values, since }: SameVersionInterviews,
  min: number,
  max: number,
): Finding[] {
  // If most of them have no duration, which may be so in imported data, nothing can be compared.
  if (max === 0) return [];
  return rows.flatMap((row, at) => {
    const took = values[at]!;
    const [check, limit, times] =
      took < min ? (['TOO_FAST', min, min / took] as const) : (['TOO_LONG', max, took / max] as const);
    if (times <= 1) return [];
    const [value, expected] = [roundTo(took / MINUTE, 1), roundTo(limit / MINUTE, 1)];
    const details = { check, value, expected, times, at: Math.max(arrivalTimeOf(interviews, row), since) };
    return [surveyFinding(interviews, row, details)];
  });
}
