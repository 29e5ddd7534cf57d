/**
 * MANY_SKIPPED, by the questions that everybody who takes part is asked: those without a condition of their own, of a
 * panel around them, or of a page, unless it is about who takes part. They were shown for certain. Whether a question with a condition was shown is not stored, so it
 * neither counts as shown nor as skipped.
 */
import type { StudyTable } from '../study-table/table.ts';
import { comparedBy } from './comparable.ts';
import { arrivalOf, type Finding, rounded, surveyFinding } from './finding.ts';
import { RULES } from './rules.ts';

const { share: SHARE, times: TIMES } = RULES.MANY_SKIPPED;

export function findManySkipped({ interviews }: StudyTable): Finding[] {
  const { asked, skipped } = interviews;
  const shareOf = (row: number) => skipped[row]! / asked[row]!;
  return comparedBy(interviews, shareOf).flatMap(({ rows, values, quantile, since }) => {
    const most = Math.max(SHARE, TIMES * quantile(0.5));
    return rows.flatMap((row, at) => {
      const share = values[at]!;
      if (share <= most) return [];
      return surveyFinding(interviews, row, {
        check: 'MANY_SKIPPED',
        value: rounded(share, 2),
        expected: rounded(most, 2),
        at: Math.max(arrivalOf(interviews, row), since),
        times: (1 - most) / (1 - share),
      });
    });
  });
}
