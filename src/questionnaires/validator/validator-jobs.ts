/** The jobs of the validator (validator.ts) and its replies (validator-process.ts). */
import type { FieldError } from '../../platform/http/problems/error-codes.ts';
import type { StoredCalculation } from '../answers/calculated.ts';
import type { WallClock } from '../answers/interview-day.ts';
import type { Shapes } from '../codebook/answer-shape.ts';
import type { Countable } from '../codebook/countable.ts';
import type { AnswerLine, QuestionnaireCreate } from '../schema.ts';
import type { ImportedForm } from '../xlsform/import/import.ts';
import type { Choices } from './tree-colors.ts';

export type AnswerErrors = FieldError[];

/** The settings of a version that refer to its definition. */
export type Settings = Pick<QuestionnaireCreate, 'networkSizeQuestion' | 'takesPartIf' | 'identityQuestions'>;

/** `questionnaire` is an id: the process asks for the definition if it doesn't have it. */
interface OnAnswers {
  questionnaire: string;
  responses: string;
}

export type ValidatorJob =
  | ({ kind: 'definition'; definition: string } & Settings)
  | ({ kind: 'answers'; moments: WallClock[] } & OnAnswers)
  | ({ kind: 'calculated' } & StoredCalculation & OnAnswers)
  | ({ kind: 'words'; language: string } & OnAnswers)
  | { kind: 'keys'; definition: string }
  | { kind: 'choices'; definition: string; question: string }
  | { kind: 'codebook'; definition: string }
  | { kind: 'read xlsform'; file: Uint8Array }
  | { kind: 'write xlsform'; form: string; language: string };

export interface ValidatorReplies {
  /** `parts` of the codebook; null if there are errors. */
  definition: { errors: AnswerErrors; parts: ValidatorReplies['codebook'] | null };
  answers: AnswerErrors;
  calculated: Record<string, unknown> | null;
  words: AnswerLine[];
  keys: string[] | null;
  choices: Choices | null;
  codebook: Shapes & { countables: Countable[] };
  'read xlsform': ImportedForm | null;
  'write xlsform': Uint8Array;
}

/** The process kills itself if the job uses more processor time than this. */
export interface BudgetedJob {
  job: ValidatorJob;
  budgetMs: number;
}

export type ValidatorReply = ValidatorReplies[ValidatorJob['kind']];

/** The signal it uses for that: nothing else sends it, and it leaves no core dump. */
export const OVER_BUDGET_SIGNAL = 'SIGVTALRM';
