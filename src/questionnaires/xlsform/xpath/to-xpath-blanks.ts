/**
 * Checks for blank answers that the form library needs and XPath doesn't, because XPath calculates nothing from blanks.
 * Browser-safe.
 */
import { ConditionsParser, type Operand } from 'survey-core';

export interface ExpressionOperandParts {
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

export const operandParts = (operand: Operand) => operand as unknown as ExpressionOperandParts;

export const XPATH_ARITHMETIC_OPERATORS: Record<string, string> = {
  plus: '+',
  minus: '-',
  mul: '*',
  div: 'div',
  mod: 'mod',
};
const STRICT_CALLS = ['round', 'trunc', 'min', 'max'];
const ARRAY_AGGREGATES = ['sumInArray', 'minInArray', 'maxInArray'];

/** Splits `a and b and c` into its parts. */
export function joinedOperandsOf(operand: Operand, op: 'and' | 'or'): Operand[] {
  const { operator, leftOperand, rightOperand } = operandParts(operand);
  return operand.getType() === 'binary' && operator === op && leftOperand && rightOperand
    ? [...joinedOperandsOf(leftOperand, op), ...joinedOperandsOf(rightOperand, op)]
    : [operand];
}

/** The answer that `{age} notempty` or `{age} empty` checks, as written. */
export function variableInEmptyCheck(operand: Operand, operator: 'empty' | 'notempty'): string | null {
  const { operator: own, expression } = operandParts(operand);
  return operand.getType() === 'unary' && own === operator && expression?.getType() === 'variable'
    ? expression.toString()
    : null;
}

const normalized = (text: string) => new ConditionsParser().parseExpression(text)?.toString() ?? text;
const isConstant = (operand: Operand | null | undefined) => operand?.getType() === 'const';
const isArithmetic = (operand: Operand) =>
  operand.getType() === 'binary' &&
  Object.hasOwn(XPATH_ARITHMETIC_OPERATORS, operandParts(operand).operator ?? '');

/** Conditions under which this is a number in XPath. */
export function xpathNumberConditions(operand: Operand): string[] {
  const type = operand.getType();
  const { leftOperand, rightOperand, operator, functionName = '', paramValues = [] } = operandParts(operand);
  if (type === 'variable') return [`${operand} notempty`, `${operand} - ${operand} = 0`].map(normalized);
  if (isArithmetic(operand) && leftOperand && rightOperand) {
    const isDivided = (operator === 'div' || operator === 'mod') && !isConstant(rightOperand);
    const divisor = isDivided ? [normalized(`${rightOperand} <> 0`)] : [];
    return [...xpathNumberConditions(leftOperand), ...xpathNumberConditions(rightOperand), ...divisor];
  }
  if (type !== 'function') return [];
  const [first, second] = paramValues;
  if (ARRAY_AGGREGATES.includes(functionName) && first && second) {
    const turns = `${first}`.replace(/\}$/, '.length}');
    const some = functionName === 'sumInArray' ? [] : [normalized(`${turns} > 0`)];
    return [normalized(`countInArray(${first}, ${second}) = ${turns}`), ...some];
  }
  return STRICT_CALLS.includes(functionName) ? paramValues.flatMap(xpathNumberConditions) : [];
}

/**
 * The arguments of `countInArray({child}, 'age') = {child.length}`. XPath needs no such check, because a sum with a
 * blank is NaN, which doesn't equal itself.
 */
export function fullCountInArrayArguments(operator: string, left: Operand, right: Operand): Operand[] | null {
  const { functionName, paramValues = [] } = operandParts(left);
  const turns = `${paramValues[0]}`.replace(/\}$/, '.length}');
  const isAsked = functionName === 'countInArray' && right.toString() === turns;
  return isAsked && EQUALITY_OPERATORS.includes(operator) ? paramValues : null;
}

const EQUALITY_OPERATORS = ['equal', 'notequal'];
const ORDER_OPERATORS = ['less', 'lessorequal', 'greater', 'greaterorequal'];

/** Conditions that a true comparison implies in XPath; for "not equal", a false one. */
function needsOfComparison(operand: Operand): string[] {
  const { leftOperand, rightOperand, operator = '' } = operandParts(operand);
  if (operand.getType() !== 'binary' || !leftOperand || !rightOperand) return [];
  if (!EQUALITY_OPERATORS.includes(operator) && !ORDER_OPERATORS.includes(operator)) return [];
  const sides = [leftOperand, rightOperand];
  if (ORDER_OPERATORS.includes(operator) && sides.every((side) => side.getType() === 'variable'))
    return xpathNumberConditions(leftOperand);
  return sides.flatMap((side) => (side.getType() === 'variable' ? [] : xpathNumberConditions(side)));
}

/** The parts of a chain that check for blanks or compare case, which other parts imply in XPath anyway. */
export function redundantOperands(parts: readonly Operand[], op: 'and' | 'or'): ReadonlySet<Operand> {
  const compared = parts.filter(
    (part) => part.getType() === 'binary' && (operandParts(part).operator === 'notequal') === (op === 'or'),
  );
  // A part can't imply itself.
  const impliedBy = (textsOf: (part: Operand) => string[], text: string, part: Operand) =>
    compared.some((other) => other !== part && textsOf(other).includes(text));
  const isImplied = (part: Operand) =>
    impliedBy(needsOfComparison, op === 'or' ? opposite(part) : part.toString(), part) ||
    impliedBy((other) => casesOf(other, op), part.toString(), part);
  return new Set(parts.filter(isImplied));
}

/** The opposite of a condition: `{a} notempty` for `{a} empty`. */
function opposite(operand: Operand): string {
  const answer = variableInEmptyCheck(operand, 'empty');
  if (answer !== null) return normalized(`${answer} notempty`);
  const { operator, leftOperand, rightOperand } = operandParts(operand);
  if (operator === 'equal') return normalized(`${leftOperand} <> ${rightOperand}`);
  if (operator === 'notequal') return normalized(`${leftOperand} = ${rightOperand}`);
  return operator === 'negate' ? `${operandParts(operand).expression}` : '';
}

/** The conditions that an import adds to make a comparison case-sensitive. */
function casesOf(operand: Operand, op: 'and' | 'or'): string[] {
  const { leftOperand, rightOperand, operator } = operandParts(operand);
  if (operator === 'equal' && op === 'and')
    return [normalized(`!(${leftOperand} < ${rightOperand} or ${leftOperand} > ${rightOperand})`)];
  return operator === 'notequal' && op === 'or'
    ? [`${leftOperand} < ${rightOperand}`, `${leftOperand} > ${rightOperand}`].map(normalized)
    : [];
}
