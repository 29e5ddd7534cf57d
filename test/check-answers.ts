import type { FieldError } from '../src/platform/http/problems/error-codes.ts';
import { checkAnswersWithModel, validateAnswersFast } from '../src/questionnaires/answers/answers.ts';
import { runWithConsoleMuted } from '../src/questionnaires/definition/silence-console.ts';

/** The service's validation errors of these answers, in this thread instead of a validator process. */
export const checkAnswers = (
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
): FieldError[] =>
  validateAnswersFast(questionnaire, responses) ??
  runWithConsoleMuted(() => checkAnswersWithModel(questionnaire.definition, responses));
