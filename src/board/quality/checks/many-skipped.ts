/**
 * MANY_SKIPPED covers the questions that every eligible person is asked: neither they nor their panel or page have a
 * condition, unless it is about eligibility. These were certainly shown. The service does not store whether a question
 * with a condition was shown, so such questions count neither as shown nor as skipped.
 */
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { arrivalOf, type Finding, roundTo, surveyFinding } from '../finding.ts';
import { RULES } from '../rules.ts';
import { comparedBy } from './comparable.ts';

const { share: SHARE, times: TIMES } = RULES.MANY_SKIPPED;

export function findManySkipped({ interviews }: StudyTable): Finding[] {
  const { asked: askedCounts, skipped } = interviews;
  const shareOf = (row: number) => skipped[row]! / askedCounts[row]!;
  return comparedBy(interviews, shareOf).flatMap(({ rows, values, quantile, since }) => {
    const most = Math.max(SHARE, TIMES * quantile(0.5));
    return rows.flatMap((row, at) => {
      const share = values[at]!;
      if (share <= most) return [];
      return surveyFinding(interviews, row, {
        check: 'MANY_SKIPPED',
        value: roundTo(share, 2),
        expected: roundTo(most, 2),
        at: Math.max(arrivalOf(interviews, row), since),
        times: (1 - most) / (1 - share),
      });
    });
  });
}
