import type { FieldError } from '../src/http/error-codes.ts';
import { checkWithModel, validateFast } from '../src/questionnaires/answers.ts';
import { silenceConsole } from '../src/questionnaires/silence-console.ts';

/** What the service finds wrong with these answers, all of it in this thread: the service itself asks a process. */
export const checkAnswers = (
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
): FieldError[] =>
  validateFast(questionnaire, responses) ??
  silenceConsole(() => checkWithModel(questionnaire.definition, responses));
