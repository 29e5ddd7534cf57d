/** A finding of a check, and what all checks share. */
import { createHash } from 'node:crypto';
import type { QualityCheckCode } from '../../interviews/surveys/checks.ts';
import { COMPLETED, type Interviews, REJECTED, SAMPLED } from '../../statistics/study-table/interviews.ts';

export interface Finding {
  /** The same in every process, as long as it is about the same interview or person. */
  id: string;
  check: QualityCheckCode;
  /** Null: it is about the work of the interviewer. */
  survey: string | null;
  interviewer: string;
  location: string;
  value: number | string;
  expected: number | string | null;
  /** When it was first found, in milliseconds: the arrival of the interview that made it one. */
  at: number;
  /** How many times `value` is beyond its limit. */
  times: number;
}

/** Beyond that all are equally bad. */
const MAX_TIMES = 10;

type Facts = Pick<Finding, 'check' | 'value' | 'expected' | 'at' | 'times'>;

/** About one interview. */
export function surveyFinding(interviews: Interviews, row: number, facts: Facts): Finding {
  const survey = interviews.ids.hex(row);
  const interviewer = interviews.interviewer.valueOf(row);
  const location = interviews.site.valueOf(row);
  return newFinding({ ...facts, survey, interviewer, location }, survey);
}

export const findingId = (check: QualityCheckCode, about: string): string =>
  createHash('sha256').update(`${check} ${about}`).digest('hex').slice(0, 24);

/** `about`: what tells it from other findings of its check. */
export function newFinding(facts: Omit<Finding, 'id'>, about: string): Finding {
  return { id: findingId(facts.check, about), ...facts, times: Math.min(facts.times, MAX_TIMES) };
}

/** Worst first: what is about an interviewer's work concerns many interviews. */
export const severityOf = ({ survey, times }: Finding): number => times + (survey === null ? MAX_TIMES : 0);

/** When the service learned of the interview as it is. An unfinished one may have been completed later. */
export const arrivalTimeOf = ({ createdAt, completedAt }: Interviews, row: number): number =>
  Math.max(createdAt[row]!, completedAt[row]! || 0);

/** Whether its start and end are known. */
export const isClockRight = ({ startedAt, completedAt, heldAt }: Interviews, row: number): boolean =>
  startedAt[row] === heldAt[row] && !(completedAt[row]! < startedAt[row]!);

/** Rejected interviews need no check any more. */
export const isInSample = (interviews: Interviews, row: number): boolean => interviews.is(row, SAMPLED);

/** Whether or not the person took part. */
export const isFinished = (interviews: Interviews, row: number): boolean =>
  interviews.isPresent(row) && interviews.is(row, COMPLETED) && !interviews.is(row, REJECTED);

export const roundTo = (value: number, decimals: number): number => Number(value.toFixed(decimals));
