/** The jobs of the validator (validator.ts) and its replies (validator-process.ts). */
import type { FieldError } from '../../platform/http/problems/error-codes.ts';
import type { StoredCalculation } from '../answers/calculated.ts';
import type { Moment } from '../answers/interview-day.ts';
import type { Shapes } from '../codebook/answer-shape.ts';
import type { Countable } from '../codebook/countable.ts';
import type { Line, QuestionnaireCreate } from '../schema.ts';
import type { Imported } from '../xlsform/import/import.ts';
import type { Choices } from './tree-colours.ts';

export type Verdict = FieldError[];

/** The settings of a version that refer to its definition. */
export type Settings = Pick<QuestionnaireCreate, 'networkSizeQuestion' | 'takesPartIf' | 'identityQuestions'>;

/** `questionnaire` is its id: the process asks for its definition if it does not have it. */
interface OnAnswers {
  questionnaire: string;
  responses: string;
}

export type Job =
  | ({ kind: 'definition'; definition: string } & Settings)
  | ({ kind: 'answers'; moments: Moment[] } & OnAnswers)
  | ({ kind: 'calculated' } & StoredCalculation & OnAnswers)
  | ({ kind: 'words'; language: string } & OnAnswers)
  | { kind: 'keys'; definition: string }
  | { kind: 'choices'; definition: string; question: string }
  | { kind: 'codebook'; definition: string }
  | { kind: 'read xlsform'; file: Uint8Array }
  | { kind: 'write xlsform'; form: string; language: string };

export interface Replies {
  /** `parts` of the codebook: null where there are errors. */
  definition: { errors: Verdict; parts: Replies['codebook'] | null };
  answers: Verdict;
  calculated: Record<string, unknown> | null;
  words: Line[];
  keys: string[] | null;
  choices: Choices | null;
  codebook: Shapes & { countables: Countable[] };
  'read xlsform': Imported | null;
  'write xlsform': Uint8Array;
}

/** The process ends itself if the job needs more processor time. */
export interface Order {
  job: Job;
  budgetMs: number;
}

export type Reply = Replies[Job['kind']];

/** The signal by which it does: nobody else sends it, and it leaves no core file. */
export const OVER_BUDGET = 'SIGVTALRM';
