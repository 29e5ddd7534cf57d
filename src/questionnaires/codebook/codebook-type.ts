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

/** A number, a day, and yes or no are types of their own; of all else it is the kind of its question. */
export function typeOf(question: AnyQuestion): string {
  const type = question.getType();
  if (type === 'text') return isNumeric(question) ? 'number' : (INPUTS[question.inputType] ?? type);
  if (type === 'boolean') return 'yes/no';
  if (type === 'slider') return 'number';
  return type === 'expression'
    ? typeOfExpression((question as unknown as { expression: string }).expression)
    : type;
}
