/** CLOCK_ODD and POSSIBLE_REPEAT: unresolved flags. */
import { REJECTED_BIT } from '../../../statistics/study-table/interviews.ts';
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { type Finding, surveyFinding } from '../finding.ts';

const TIMES = { CLOCK_ODD: 1, NEAR: 3, EXACT: 10 };

const instant = (at: number) => new Date(at).toISOString();

/** `value`: when the interview began by the device's clock; `expected`: when it was received. */
export function findOddClocks({ interviews }: StudyTable): Finding[] {
  const { startedAt, createdAt } = interviews;
  return [...interviews.clockOdd]
    .filter(([row]) => !interviews.is(row, REJECTED_BIT))
    .map(([row, at]) =>
      surveyFinding(interviews, row, {
        check: 'CLOCK_ODD',
        value: instant(startedAt[row]!),
        expected: instant(createdAt[row]!),
        at: at.getTime(),
        times: TIMES.CLOCK_ODD,
      }),
    );
}

/** `mayReview`: ids of the surveys with this flag that the reader may review; only those are shown. */
export function findRepeatRespondents({ interviews }: StudyTable, mayReview: string[]): Finding[] {
  return mayReview.flatMap((id) => {
    const row = interviews.ids.find(id);
    const repeat = interviews.repeats.get(row);
    if (!repeat || interviews.is(row, REJECTED_BIT)) return [];
    const { strength, at } = repeat;
    const facts = { check: 'POSSIBLE_REPEAT', value: strength, expected: null } as const;
    return [surveyFinding(interviews, row, { ...facts, at: at.getTime(), times: TIMES[strength] })];
  });
}
