/**
 * What the form library says of blank answers and XPath needs no words for: nothing is calculated from a blank there.
 * Browser-safe.
 */
import { ConditionsParser, type Operand } from 'survey-core';

export interface OperationParts {
  leftOperand?: Operand | null;
  rightOperand?: Operand | null;
  expression?: Operand | null;
  operator?: string;
  variable?: string;
  correctValue?: unknown;
  values?: { values?: Operand[] } | Operand[];
  functionName?: string;
  paramValues?: Operand[];
}

export const asOperation = (operand: Operand) => operand as unknown as OperationParts;

export const ARITHMETIC: Record<string, string> = { plus: '+', minus: '-', mul: '*', div: 'div', mod: 'mod' };
const STRICT_CALLS = ['round', 'trunc', 'min', 'max'];
const OVER_TURNS = ['sumInArray', 'minInArray', 'maxInArray'];

/** `a and b and c` as its parts. */
export function chainOf(operand: Operand, op: 'and' | 'or'): Operand[] {
  const { operator, leftOperand, rightOperand } = asOperation(operand);
  return operand.getType() === 'binary' && operator === op && leftOperand && rightOperand
    ? [...chainOf(leftOperand, op), ...chainOf(rightOperand, op)]
    : [operand];
}

/** The answer that `{age} notempty` or `{age} empty` is about, as it is written. */
export function answerOfBlankCheck(operand: Operand, operator: 'empty' | 'notempty'): string | null {
  const { operator: own, expression } = asOperation(operand);
  return operand.getType() === 'unary' && own === operator && expression?.getType() === 'variable'
    ? expression.toString()
    : null;
}

const normalized = (text: string) => new ConditionsParser().parseExpression(text)?.toString() ?? text;
const isConstant = (operand: Operand | null | undefined) => operand?.getType() === 'const';
const isArithmetic = (operand: Operand) =>
  operand.getType() === 'binary' && Object.hasOwn(ARITHMETIC, asOperation(operand).operator ?? '');

/** Conditions without which this has no number in XPath. */
export function numberConditionsOf(operand: Operand): string[] {
  const type = operand.getType();
  const { leftOperand, rightOperand, operator, functionName = '', paramValues = [] } = asOperation(operand);
  if (type === 'variable') return [`${operand} notempty`, `${operand} - ${operand} = 0`].map(normalized);
  if (isArithmetic(operand) && leftOperand && rightOperand) {
    const isDivided = (operator === 'div' || operator === 'mod') && !isConstant(rightOperand);
    const divisor = isDivided ? [normalized(`${rightOperand} <> 0`)] : [];
    return [...numberConditionsOf(leftOperand), ...numberConditionsOf(rightOperand), ...divisor];
  }
  if (type !== 'function') return [];
  const [first, second] = paramValues;
  if (OVER_TURNS.includes(functionName) && first && second) {
    const turns = `${first}`.replace(/\}$/, '.length}');
    const some = functionName === 'sumInArray' ? [] : [normalized(`${turns} > 0`)];
    return [normalized(`countInArray(${first}, ${second}) = ${turns}`), ...some];
  }
  return STRICT_CALLS.includes(functionName) ? paramValues.flatMap(numberConditionsOf) : [];
}

/** Of `countInArray({child}, 'age') = {child.length}`, what it counts: a sum without one of them does not equal itself. */
export function answeredRepeats(operator: string, left: Operand, right: Operand): Operand[] | null {
  const { functionName, paramValues = [] } = asOperation(left);
  const turns = `${paramValues[0]}`.replace(/\}$/, '.length}');
  const isAsked = functionName === 'countInArray' && right.toString() === turns;
  return isAsked && EQUALITY_OPERATORS.includes(operator) ? paramValues : null;
}

const EQUALITY_OPERATORS = ['equal', 'notequal'];
const ORDER_OPERATORS = ['less', 'lessorequal', 'greater', 'greaterorequal'];

/** Conditions without which a comparison is not true in XPath; of "not equal", not false. */
function needsOfComparison(operand: Operand): string[] {
  const { leftOperand, rightOperand, operator = '' } = asOperation(operand);
  if (operand.getType() !== 'binary' || !leftOperand || !rightOperand) return [];
  if (!EQUALITY_OPERATORS.includes(operator) && !ORDER_OPERATORS.includes(operator)) return [];
  const sides = [leftOperand, rightOperand];
  if (ORDER_OPERATORS.includes(operator) && sides.every((side) => side.getType() === 'variable'))
    return numberConditionsOf(leftOperand);
  return sides.flatMap((side) => (side.getType() === 'variable' ? [] : numberConditionsOf(side)));
}

/** What a chain says beside its comparisons of blanks and of case, which XPath minds anyway. */
export function impliedOperands(parts: readonly Operand[], op: 'and' | 'or'): ReadonlySet<Operand> {
  const compared = parts.filter(
    (part) => part.getType() === 'binary' && (asOperation(part).operator === 'notequal') === (op === 'or'),
  );
  // No part stands for itself.
  const impliedBy = (textsOf: (part: Operand) => string[], text: string, part: Operand) =>
    compared.some((other) => other !== part && textsOf(other).includes(text));
  const isImplied = (part: Operand) =>
    impliedBy(needsOfComparison, op === 'or' ? opposite(part) : part.toString(), part) ||
    impliedBy((other) => casesOf(other, op), part.toString(), part);
  return new Set(parts.filter(isImplied));
}

/** Of `{a} empty`, `{a} notempty`. */
function opposite(operand: Operand): string {
  const answer = answerOfBlankCheck(operand, 'empty');
  if (answer !== null) return normalized(`${answer} notempty`);
  const { operator, leftOperand, rightOperand } = asOperation(operand);
  if (operator === 'equal') return normalized(`${leftOperand} <> ${rightOperand}`);
  if (operator === 'notequal') return normalized(`${leftOperand} = ${rightOperand}`);
  return operator === 'negate' ? `${asOperation(operand).expression}` : '';
}

/** How an import says that the case of letters matters. */
function casesOf(operand: Operand, op: 'and' | 'or'): string[] {
  const { leftOperand, rightOperand, operator } = asOperation(operand);
  if (operator === 'equal' && op === 'and')
    return [normalized(`!(${leftOperand} < ${rightOperand} or ${leftOperand} > ${rightOperand})`)];
  return operator === 'notequal' && op === 'or'
    ? [`${leftOperand} < ${rightOperand}`, `${leftOperand} > ${rightOperand}`].map(normalized)
    : [];
}
