/**
 * OLD_AMOUNT: an interview received after an incentive was lowered, but which claims to have ended before, so that more
 * is owed for it. That happens honestly on a phone without signal, so it is severe only if the interviewer's phone
 * wasn't waiting for one: a later interview of theirs was received well before this one.
 */
import type { InterviewColumnStore } from '../../../statistics/study-table/interviews.ts';
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { incentiveSettingsAt, type StudyIncentiveSettings } from '../../../study/settings/incentives.ts';
import { arrivalTimeOf, type Finding, isClockRight, isInSample, roundTo, surveyFinding } from '../finding.ts';
import { CHECK_THRESHOLDS } from '../rules.ts';

const HOUR = 3_600_000;
const LATE_MS = CHECK_THRESHOLDS.OLD_AMOUNT.hours * HOUR;
const TIMES = { late: 1, contradicted: 5 };

export function findBackdatedInterviews(
  { interviews }: StudyTable,
  { incentives }: { incentives: StudyIncentiveSettings },
): Finding[] {
  // The incentives never changed.
  if (incentives.earlierIncentives.length === 0) return [];
  const contradicts = laterArrivals(interviews);
  const findings: Finding[] = [];
  for (let row = 0; row < interviews.size; row++) {
    if (!isInSample(interviews, row) || !isClockRight(interviews, row)) continue;
    const [ended, arrived] = [interviews.completedAt[row]!, interviews.createdAt[row]!];
    if (!(ended < arrived)) continue;
    const [value, expected] = [ended, arrived].map((at) => amountOwed(incentives, interviews, row, at)) as [
      number,
      number,
    ];
    if (value <= expected) continue;
    const isContradicted = contradicts(row);
    if (!isContradicted && arrived - ended <= LATE_MS) continue;
    const times = isContradicted ? TIMES.contradicted : TIMES.late;
    findings.push(
      surveyFinding(interviews, row, {
        ...{ check: 'OLD_AMOUNT', value, expected, times },
        at: arrivalTimeOf(interviews, row),
      }),
    );
  }
  return findings;
}

/** What the interview earns for the person and their recruiter, by the settings of that time. */
function amountOwed(
  study: StudyIncentiveSettings,
  interviews: InterviewColumnStore,
  row: number,
  at: number,
): number {
  const { interview, recruit, recruitLimit } = incentiveSettingsAt(study, new Date(at));
  const ofRecruiter = interviews.recruiter[row]! < 0 || recruitLimit === 0 ? 0 : Number(recruit ?? 0);
  return roundTo(Number(interview ?? 0) + ofRecruiter, 4);
}

/**
 * Whether the same interviewer began another interview at least an hour after this one ended, and it was received at
 * least an hour earlier.
 */
function laterArrivals(interviews: InterviewColumnStore): (row: number) => boolean {
  const byInterviewer = new Map<number, { starts: Float64Array; arrivals: Float64Array }>();
  const of = (code: number) => {
    const existing = byInterviewer.get(code);
    if (existing) return existing;
    const rows: number[] = [];
    for (let row = 0; row < interviews.size; row++)
      if (
        interviews.interviewer.codes[row] === code &&
        interviews.isPresent(row) &&
        isClockRight(interviews, row)
      )
        rows.push(row);
    rows.sort((a, b) => interviews.startedAt[a]! - interviews.startedAt[b]!);
    const starts = Float64Array.from(rows, (row) => interviews.startedAt[row]!);
    // The earliest arrival among this interview and all that began later.
    const arrivals = Float64Array.from(rows, (row) => interviews.createdAt[row]!);
    for (let at = arrivals.length - 2; at >= 0; at--)
      arrivals[at] = Math.min(arrivals[at]!, arrivals[at + 1]!);
    const sorted = { starts, arrivals };
    byInterviewer.set(code, sorted);
    return sorted;
  };
  return (row) => {
    const { starts, arrivals } = of(interviews.interviewer.codes[row]!);
    const first = lowerBound(starts, interviews.completedAt[row]! + HOUR);
    return first < starts.length && arrivals[first]! <= interviews.createdAt[row]! - HOUR;
  };
}

/** Index of the first value that isn't below `value`; `sorted` is ascending. */
function lowerBound(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
