/** The jobs of the validator (validator.ts) and its replies (validator-process.ts). */
import type { FieldError } from '../../platform/http/problems/error-codes.ts';
import type { CalculationContext } from '../answers/calculated.ts';
import type { WallClock } from '../answers/interview-day.ts';
import type { AnswerShapes } from '../codebook/answer-shape.ts';
import type { CountableQuestion } from '../codebook/countable.ts';
import type { AnswerLine, QuestionnaireCreate } from '../schema.ts';
import type { ImportedForm } from '../xlsform/import/import.ts';
import type { OfferedChoices } from './tree-colors.ts';

export type AnswerErrors = FieldError[];

/** The settings of a version that refer to its definition. */
export type DefinitionSettings = Pick<
  QuestionnaireCreate,
  'networkSizeQuestion' | 'takesPartIf' | 'identityQuestions'
>;

/** `questionnaire` is an id: the process asks for the definition if it doesn't have it. */
interface OnAnswers {
  questionnaire: string;
  responses: string;
}

export type ValidatorJob =
  | ({ kind: 'definition'; definition: string } & DefinitionSettings)
  | ({ kind: 'answers'; moments: WallClock[] } & OnAnswers)
  | ({ kind: 'calculated' } & CalculationContext & OnAnswers)
  | ({ kind: 'words'; language: string } & OnAnswers)
  | { kind: 'keys'; definition: string }
  | { kind: 'choices'; definition: string; question: string }
  | { kind: 'codebook'; definition: string }
  | { kind: 'read xlsform'; file: Uint8Array }
  | { kind: 'write xlsform'; form: string; language: string };

export interface QuestionnaireJobResults {
  /** `parts` of the codebook; null if there are errors. */
  definition: { errors: AnswerErrors; parts: QuestionnaireJobResults['codebook'] | null };
  answers: AnswerErrors;
  calculated: Record<string, unknown> | null;
  words: AnswerLine[];
  keys: string[] | null;
  choices: OfferedChoices | null;
  codebook: AnswerShapes & { countables: CountableQuestion[] };
  'read xlsform': ImportedForm | null;
  'write xlsform': Uint8Array;
}

/** The process kills itself if the job uses more processor time than this. */
export interface BudgetedJob {
  job: ValidatorJob;
  budgetMs: number;
}

export type ValidatorReply = QuestionnaireJobResults[ValidatorJob['kind']];

/** The signal it uses for that: nothing else sends it, and it leaves no core dump. */
export const OVER_BUDGET_SIGNAL = 'SIGVTALRM';
