/** The type of a column in the codebook. */
import { type AnyQuestion, isNumeric } from '../definition/question-types.ts';
import { calculatedKind } from './calculated-type.ts';

const INPUTS: Record<string, string> = {
  date: 'date',
  month: 'month',
  time: 'time',
  'datetime-local': 'date and time',
};

const CALCULATED = {
  number: 'number',
  'yes or no': 'yes/no',
  day: 'date',
  words: 'text',
  text: 'text',
} as const;

export const typeOfExpression = (expression: string): string => CALCULATED[calculatedKind(expression).is];

/** Numbers, dates, and yes/no have types of their own; otherwise it is the question's type. */
export function codebookTypeOf(question: AnyQuestion): string {
  const type = question.getType();
  if (type === 'text') return isNumeric(question) ? 'number' : (INPUTS[question.inputType] ?? type);
  if (type === 'boolean') return 'yes/no';
  if (type === 'slider') return 'number';
  return type === 'expression'
    ? typeOfExpression((question as unknown as { expression: string }).expression)
    : type;
}
