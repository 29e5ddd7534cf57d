/** What may be stored of an interview's answers: of a finished one what is complete and right, of another one little. */
import { fault } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { withoutCalculated } from '../questionnaires/calculated-names.ts';
import { inTime } from '../questionnaires/in-time.ts';
import { calculated, judgeAnswers, TOO_SLOW } from '../questionnaires/judge.ts';
import type { QuestionnaireRecord } from '../questionnaires/model.ts';
import { momentOf } from '../questionnaires/moment.ts';
import { requireUnfinished } from '../questionnaires/unfinished.ts';
import type { SurveyRecord } from './model.ts';
import type { SurveyStatus } from './schema.ts';

type Answers = Record<string, unknown>;

/** When an interview was held, for what asks it what day it is; and when its answers were given anew, if they were. */
export interface Held {
  at: Date;
  again?: Date;
  zone: string;
}

/** Its end, by a clock that can be right. */
export const heldAtEnd = (times: Pick<SurveyRecord, 'startedAt' | 'completedAt' | 'heldAt'>): Date =>
  times.completedAt && times.heldAt.getTime() === times.startedAt.getTime()
    ? times.completedAt
    : times.heldAt;

/**
 * The answers with what the questionnaire calculates of them; 400 with each question's path, 413, or 503 where the
 * machine is busy. It may take seconds: no transaction waits for it.
 */
export const requireAnswers = async (...asked: Parameters<typeof judged>): Promise<Answers> =>
  await inTime(judged(...asked));

async function judged(
  { _id, definition }: Pick<QuestionnaireRecord, '_id' | 'definition'>,
  status: SurveyStatus,
  responses: Answers,
  { at, again, zone }: Held,
): Promise<Answers> {
  const plain = { id: _id.toHexString(), definition };
  const own = withoutCalculated(definition, responses);
  if (status !== 'COMPLETED') {
    await requireUnfinished(plain, responses);
    return own;
  }
  const moments = [at, ...(again ? [again] : [])].map((one) => momentOf(one, zone));
  const errors = await judgeAnswers(plain, own, moments);
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { why: fault('SOME_ANSWERS'), errors });
  const whole = await calculated(plain, own, momentOf(at, zone));
  if (!whole) throw problem('VALIDATION_ERROR', { why: fault('SOME_ANSWERS'), errors: TOO_SLOW });
  return whole;
}
