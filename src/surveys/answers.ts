/** What may be stored of an interview's answers: of a finished one what is complete and right, of another one little. */
import { fault } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { judgeAnswers } from '../questionnaires/judge.ts';
import type { QuestionnaireRecord } from '../questionnaires/model.ts';
import { requireUnfinished } from '../questionnaires/unfinished.ts';
import type { SurveyStatus } from './schema.ts';

type Answers = Record<string, unknown>;

/** 400 with each question's path, or 413. */
export async function requireAnswers(
  { _id, definition }: Pick<QuestionnaireRecord, '_id' | 'definition'>,
  status: SurveyStatus,
  responses: Answers,
): Promise<void> {
  const plain = { id: _id.toHexString(), definition };
  if (status !== 'COMPLETED') return await requireUnfinished(plain, responses);
  const errors = await judgeAnswers(plain, responses);
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { why: fault('SOME_ANSWERS'), errors });
}
