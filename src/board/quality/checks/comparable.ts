/** Groups interviews by questionnaire, to compare them with each other. */
import { quantileOfSorted } from '../../../statistics/estimators/quantile.ts';
import type { InterviewColumnStore } from '../../../statistics/study-table/interviews.ts';
import { arrivalTimeOf, isInSample } from '../finding.ts';
import { MIN_INTERVIEWS_TO_COMPARE } from '../rules.ts';

export interface SameVersionInterviews {
  rows: number[];
  /** [rows] */
  values: Float64Array;
  /** Quantile of the values. */
  quantile(p: number): number;
  /** When there were first enough of them. */
  since: number;
}

/** One group for each questionnaire with enough interviews in the sample that have a value (NaN: none). */
export function comparableInterviews(
  interviews: InterviewColumnStore,
  valueAt: (row: number) => number,
): SameVersionInterviews[] {
  const byVersion = interviews.version.values.map((): { rows: number[]; values: number[] } => ({
    rows: [],
    values: [],
  }));
  for (let row = 0; row < interviews.size; row++) {
    if (!isInSample(interviews, row)) continue;
    const value = valueAt(row);
    if (Number.isNaN(value)) continue;
    const group = byVersion[interviews.version.codes[row]!]!;
    group.rows.push(row);
    group.values.push(value);
  }
  return byVersion
    .filter(({ rows }) => rows.length >= MIN_INTERVIEWS_TO_COMPARE.ofQuestionnaire)
    .map(({ rows, values }) => {
      const sorted = Float64Array.from(values).sort();
      const arrivals = Float64Array.from(rows, (row) => arrivalTimeOf(interviews, row)).sort();
      return {
        rows,
        values: Float64Array.from(values),
        quantile: (p) => quantileOfSorted(sorted, p)!,
        since: arrivals[MIN_INTERVIEWS_TO_COMPARE.ofQuestionnaire - 1]!,
      };
    });
}
