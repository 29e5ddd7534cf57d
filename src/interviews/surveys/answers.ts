/**
 * Validates an interview's answers: those of a completed interview must be complete and correct, others only
 * well-formed.
 */
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { withoutCalculated } from '../../questionnaires/answers/calculated-names.ts';
import { wallClockOf } from '../../questionnaires/answers/interview-day.ts';
import type { CameWithCouponValue } from '../../questionnaires/definition/coupon-variable.ts';
import { checkUnfinishedAnswers } from '../../questionnaires/in-progress-answers.ts';
import type { QuestionnaireRecord } from '../../questionnaires/model.ts';
import {
  ANSWERS_TOO_SLOW_ERRORS,
  validateAnswers,
  withCalculatedValues,
} from '../../questionnaires/validator/validator.ts';
import { withinDeadline } from '../../questionnaires/validator/within-deadline.ts';
import { type HasIdentityQuestions, removeIdentityAnswers } from './repeats/identity-hashes.ts';
import type { SurveyStatus } from './schema.ts';

type Answers = Record<string, unknown>;

/** For expressions that use today's date or `{cameWithCoupon}`. */
export interface AnswerContext {
  /** When the interview took place. */
  at: Date;
  /** Another time at which the answers may have been given: when they were corrected, or what a wrong clock showed. */
  again?: Date;
  zone: string;
  /** If known. */
  came?: CameWithCouponValue | undefined;
  /** Id of the user who sends them. */
  by: string | undefined;
}

/**
 * Returns what may be stored: the answers without those to identity questions, and with the values calculated from the
 * others. 400 with each question's path, 413, or 503 if the machine is busy. May take seconds, so never call it in a
 * transaction.
 */
export const requireValidAnswers = async (
  questionnaire: Parameters<typeof validatedAnswers>[0],
  status: SurveyStatus,
  responses: Answers,
  interviewContext: AnswerContext,
  deadline: number | undefined,
): Promise<Answers> =>
  await withinDeadline(validatedAnswers(questionnaire, status, responses, interviewContext), deadline);

async function validatedAnswers(
  questionnaire: Pick<QuestionnaireRecord, '_id' | 'definition'> & HasIdentityQuestions,
  status: SurveyStatus,
  responses: Answers,
  { at, again, zone, came, by }: AnswerContext,
): Promise<Answers> {
  const { _id, definition } = questionnaire;
  const plain = { id: _id.toHexString(), definition };
  const own = withoutCalculated(definition, responses);
  if (status !== 'COMPLETED') {
    await checkUnfinishedAnswers(plain, responses, by);
    return removeIdentityAnswers(questionnaire, own);
  }
  const moments = [at, ...(again ? [again] : [])].map((one) => wallClockOf(one, zone));
  const errors = await validateAnswers(plain, own, moments, by);
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { why: fault('SOME_ANSWERS'), errors });
  // Removed before calculating, so that no stored value can depend on identity answers.
  const stored = removeIdentityAnswers(questionnaire, own);
  const whole = await withCalculatedValues(plain, stored, { moment: wallClockOf(at, zone), came }, by);
  if (!whole)
    throw problem('VALIDATION_ERROR', { why: fault('SOME_ANSWERS'), errors: ANSWERS_TOO_SLOW_ERRORS });
  return whole;
}
