/**
 * MANY_SKIPPED covers the questions that every eligible person is asked: neither they nor their panel or page have a
 * condition, unless it is about eligibility. These were certainly shown. The service doesn't store whether a question
 * with a condition was shown, so such questions count neither as shown nor as skipped.
 */
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { arrivalTimeOf, type Finding, roundTo, surveyFinding } from '../finding.ts';
import { CHECK_THRESHOLDS } from '../rules.ts';
import { comparableInterviews } from './comparable.ts';

const { share: SHARE, times: TIMES } = CHECK_THRESHOLDS.MANY_SKIPPED;

export function findManySkipped({ interviews }: StudyTable): Finding[] {
  const { askedCounts, skipped } = interviews;
  const shareOf = (row: number) => skipped[row]! / askedCounts[row]!;
  return comparableInterviews(interviews, shareOf).flatMap(({ rows, values, quantile, since }) => {
    const max = Math.max(SHARE, TIMES * quantile(0.5));
    return rows.flatMap((row, at) => {
      const share = values[at]!;
      if (share <= max) return [];
      return surveyFinding(interviews, row, {
        check: 'MANY_SKIPPED',
        value: roundTo(share, 2),
        expected: roundTo(max, 2),
        at: Math.max(arrivalTimeOf(interviews, row), since),
        times: (1 - max) / (1 - share),
      });
    });
  });
}
