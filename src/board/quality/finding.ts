/** The result of a quality check, and what all checks share. */
import { createHash } from 'node:crypto';
import type { QualityCheckCode } from '../../interviews/surveys/checks.ts';
import {
  COMPLETED_BIT,
  IN_SAMPLE_BIT,
  type InterviewColumnStore,
  REJECTED_BIT,
} from '../../statistics/study-table/interviews.ts';

export interface Finding {
  /** Stable across processes as long as it is about the same interview or person. */
  id: string;
  check: QualityCheckCode;
  /** Null if it is about the interviewer's work. */
  survey: string | null;
  interviewer: string;
  location: string;
  value: number | string;
  expected: number | string | null;
  /** When it was first found, in milliseconds: the arrival of the interview that caused it. */
  at: number;
  /** By what factor `value` exceeds its limit. */
  times: number;
}

/** Everything beyond this is equally severe. */
const MAX_TIMES = 10;

type Facts = Pick<Finding, 'check' | 'value' | 'expected' | 'at' | 'times'>;

/** A finding about one interview. */
export function surveyFinding(interviews: InterviewColumnStore, row: number, facts: Facts): Finding {
  const survey = interviews.ids.hex(row);
  const interviewer = interviews.interviewer.valueOf(row);
  const location = interviews.site.valueOf(row);
  return newFinding({ ...facts, survey, interviewer, location }, survey);
}

export const findingId = (check: QualityCheckCode, about: string): string =>
  createHash('sha256').update(`${check} ${about}`).digest('hex').slice(0, 24);

/** `about`: what distinguishes it from other findings of its check. */
export function newFinding(facts: Omit<Finding, 'id'>, about: string): Finding {
  return { id: findingId(facts.check, about), ...facts, times: Math.min(facts.times, MAX_TIMES) };
}

/** Worst first. Findings about an interviewer's work come before others, because they concern many interviews. */
export const severityOf = ({ survey, times }: Finding): number => times + (survey === null ? MAX_TIMES : 0);

/** When the service received the interview in its current form. An unfinished one may have been completed later. */
export const arrivalTimeOf = ({ createdAt, completedAt }: InterviewColumnStore, row: number): number =>
  Math.max(createdAt[row]!, completedAt[row]! || 0);

/** Whether the interview's start and end are reliable. */
export const isClockRight = (
  { startedAt, completedAt, heldAt }: InterviewColumnStore,
  row: number,
): boolean => startedAt[row] === heldAt[row] && !(completedAt[row]! < startedAt[row]!);

/** Rejected interviews are excluded, because they need no checks. */
export const isInSample = (interviews: InterviewColumnStore, row: number): boolean =>
  interviews.is(row, IN_SAMPLE_BIT);

/** Completed and not rejected, whether or not the person was eligible. */
export const isCompletedNotRejected = (interviews: InterviewColumnStore, row: number): boolean =>
  interviews.isPresent(row) && interviews.is(row, COMPLETED_BIT) && !interviews.is(row, REJECTED_BIT);

export const roundTo = (value: number, decimals: number): number => Number(value.toFixed(decimals));
