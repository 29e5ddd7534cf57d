/**
 * The type of a calculated value, derived from its expression: a number, yes or no, one of a few words, a date, or any
 * text.
 */
import { ConditionsParser, type Operand } from 'survey-core';

export type CalculatedKind =
  | { is: 'number' | 'yes or no' | 'day' | 'text' }
  /** All values that the expression can have. */
  | { is: 'words'; words: string[] };

const NUMBERS =
  'sum min max avg count round trunc age dateDiff diffDays year month day weekday getYear currentYear sumInArray minInArray maxInArray avgInArray countInArray'.split(
    ' ',
  );
const DAYS = ['today', 'currentDate', 'dateAdd', 'getDate'];

interface Parts {
  correctValue?: unknown;
  variable?: string;
  functionName?: string;
  paramValues?: Operand[];
  /** True for `and` and `or` too. */
  isArithmetic?: boolean;
  isConjunction?: boolean;
  operator?: string;
  leftOperand?: Operand;
  rightOperand?: Operand;
}

export function calculatedKind(expression: string): CalculatedKind {
  const root = new ConditionsParser().parseExpression(expression) as Operand | null;
  return root ? kindOf(root) : { is: 'text' };
}

function kindOf(operand: Operand): CalculatedKind {
  const parts = operand as unknown as Parts;
  switch (operand.getType()) {
    case 'const':
      return kindOfConstant(parts.correctValue);
    case 'variable':
      return { is: parts.variable?.endsWith('.length') ? 'number' : 'text' };
    case 'unary':
      return { is: 'yes or no' };
    case 'function':
      return kindOfFunction(parts);
    case 'binary':
      return parts.isArithmetic && !parts.isConjunction ? kindOfArithmetic(parts) : { is: 'yes or no' };
    default:
      return { is: 'text' };
  }
}

function kindOfConstant(value: unknown): CalculatedKind {
  if (typeof value === 'number') return { is: 'number' };
  if (typeof value === 'boolean') return { is: 'yes or no' };
  return typeof value === 'string' ? { is: 'words', words: value === '' ? [] : [value] } : { is: 'text' };
}

function kindOfFunction({ functionName = '', paramValues = [] }: Parts): CalculatedKind {
  if (functionName === 'iif') return joinKinds(paramValues.slice(1).map(kindOf));
  if (NUMBERS.includes(functionName)) return { is: 'number' };
  return { is: DAYS.includes(functionName) ? 'day' : 'text' };
}

/** Plus joins texts. */
function kindOfArithmetic({ operator, leftOperand, rightOperand }: Parts): CalculatedKind {
  const sides = [leftOperand, rightOperand].flatMap((one) => (one ? [kindOf(one)] : []));
  const isText = operator === 'plus' && sides.some(({ is }) => is === 'words');
  return { is: isText ? 'text' : 'number' };
}

/** An empty text means no value. */
function joinKinds(kinds: CalculatedKind[]): CalculatedKind {
  const filled = kinds.filter((one) => one.is !== 'words' || one.words.length > 0);
  const [first] = filled;
  if (!first || filled.some(({ is }) => is !== first.is)) return { is: 'text' };
  if (first.is !== 'words') return first;
  return { is: 'words', words: [...new Set(filled.flatMap((one) => (one.is === 'words' ? one.words : [])))] };
}
