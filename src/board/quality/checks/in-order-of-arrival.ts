import type { InterviewColumnStore } from '../../../statistics/study-table/interviews.ts';
import { arrivalTimeOf } from '../finding.ts';

/** The rows of these interviews, in order of arrival. */
export function rowsInArrivalOrder(
  interviews: InterviewColumnStore,
  isWanted: (row: number) => boolean,
): number[] {
  const rows: number[] = [];
  for (let row = 0; row < interviews.size; row++) if (isWanted(row)) rows.push(row);
  return rows.sort((a, b) => arrivalTimeOf(interviews, a) - arrivalTimeOf(interviews, b) || a - b);
}
