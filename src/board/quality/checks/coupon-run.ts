/** COUPON_RUN: recruits of one person who came to the same site within minutes of each other. */
import { type InterviewColumnStore, REJECTED_BIT } from '../../../statistics/study-table/interviews.ts';
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { arrivalTimeOf, type Finding, isClockRight, newFinding } from '../finding.ts';
import { CHECK_THRESHOLDS } from '../rules.ts';

const { recruits: RECRUITS, minutes: MINUTES } = CHECK_THRESHOLDS.COUPON_RUN;
const RUN_WINDOW_MS = MINUTES * 60_000;

export function findRecruitBursts({ interviews }: StudyTable): Finding[] {
  const { heldAt, site } = interviews;
  return [...recruitsByRecruiter(interviews)].flatMap(([recruiter, recruits]) => {
    if (recruits.length < RECRUITS) return [];
    const bySite = new Map<number, number[]>();
    for (const row of recruits) {
      const at = site.codes[row]!;
      bySite.set(at, [...(bySite.get(at) ?? []), row]);
    }
    return [...bySite.values()].flatMap((rows) => {
      rows.sort((a, b) => heldAt[a]! - heldAt[b]! || interviews.ids.compare(a, b));
      const run = longestRun(interviews, rows);
      return run ? [runFinding(interviews, recruiter, run)] : [];
    });
  });
}

/**
 * Includes unfinished interviews, since their coupon was handed in. Excludes interviews with a wrong clock, whose time
 * is unknown.
 */
function recruitsByRecruiter(interviews: InterviewColumnStore): Map<number, number[]> {
  const byRecruiter = new Map<number, number[]>();
  for (let row = 0; row < interviews.size; row++) {
    const recruiter = interviews.recruiter[row]!;
    if (recruiter < 0 || !interviews.isPresent(row) || interviews.is(row, REJECTED_BIT)) continue;
    if (!interviews.isPresent(recruiter) || !isClockRight(interviews, row)) continue;
    const recruits = byRecruiter.get(recruiter);
    if (recruits) recruits.push(row);
    else byRecruiter.set(recruiter, [row]);
  }
  return byRecruiter;
}

interface Run {
  rows: number[];
  /** The arrival of the interview that completed the run. */
  at: number;
}

/** `rows`: interviews at one site, by interview date. */
function longestRun(interviews: InterviewColumnStore, rows: number[]): Run | null {
  const { heldAt } = interviews;
  let longest: number[] = [];
  let at = Number.POSITIVE_INFINITY;
  for (let from = 0, to = 0; to < rows.length; to++) {
    while (heldAt[rows[to]!]! - heldAt[rows[from]!]! > RUN_WINDOW_MS) from++;
    const run = rows.slice(from, to + 1);
    if (run.length < RECRUITS) continue;
    const arrivals = run.map((row) => arrivalTimeOf(interviews, row)).sort((a, b) => a - b);
    at = Math.min(at, arrivals[RECRUITS - 1]!);
    if (run.length > longest.length) longest = run;
  }
  return longest.length > 0 ? { rows: longest, at } : null;
}

function runFinding(interviews: InterviewColumnStore, recruiter: number, { rows, at }: Run): Finding {
  const survey = interviews.ids.hex(recruiter);
  const last = rows.at(-1)!;
  const location = interviews.site.valueOf(last);
  const interviewer = interviews.interviewer.valueOf(last);
  const facts = { check: 'COUPON_RUN', value: rows.length, expected: RECRUITS - 1, at } as const;
  return newFinding({ ...facts, times: rows.length, survey, interviewer, location }, `${survey} ${location}`);
}
