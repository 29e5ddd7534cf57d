/**
 * Converts a SurveyJS rule to an XLSForm one. Throws RuleWithoutCounterpart, with the reason, if that isn't possible.
 * Browser-safe.
 */

import { ConditionsParser, type Operand } from 'survey-core';
import {
  atomicExpression,
  COMPARISON_PRECEDENCE,
  type ExpressionWithPrecedence,
  PRECEDENCE,
  parenthesized,
  REPEAT_AGGREGATES,
} from './precedence.ts';
import { RuleWithoutCounterpart } from './rule-scope.ts';
import {
  type ExpressionOperandParts,
  fullCountInArrayArguments,
  joinedOperandsOf,
  operandParts,
  redundantOperands,
  variableInEmptyCheck,
  XPATH_ARITHMETIC_OPERATORS,
  xpathNumberConditions,
} from './to-xpath-blanks.ts';

export interface ExpressionNameTarget {
  /** The name in the file. */
  name: string;
  kind: 'one' | 'many' | 'number' | 'text' | 'date' | 'calculated' | 'repeat';
  repeat: string | null;
  /** Choices that have other names in the file. */
  renames?: ReadonlyMap<string, string>;
}

export interface ReferenceScope {
  /** By name in lower case, because expressions ignore case. */
  targets: ReadonlyMap<string, ExpressionNameTarget>;
  /** The repeat that contains the rule, to resolve `{panel.age}`. */
  repeat: string | null;
}

const COMPARISONS: Record<string, string> = {
  equal: '=',
  notequal: '!=',
  less: '<',
  lessorequal: '<=',
  greater: '>',
  greaterorequal: '>=',
};
const CALLS: Record<string, string> = {
  round: 'round',
  trunc: 'int',
  min: 'min',
  max: 'max',
  today: 'today',
  currentDate: 'now',
};
const PARTS: Record<string, string> = { year: '%Y', getYear: '%Y', month: '%m', day: '%d' };
const DATES = /\b(?:age|dateDiff|year|month|day)\(/;
const TURN_FUNCTIONS = new Map(Object.entries(REPEAT_AGGREGATES).map(([theirs, ours]) => [ours, theirs]));

type Literal = string | number | boolean;

const unreadable = (text: string) => new RuleWithoutCounterpart('RULE_UNREADABLE', { text });

/** `self` is the question written as a dot. */
export function expressionToXPath(expression: string, names: ReferenceScope, self?: string): string {
  const root = new ConditionsParser().parseExpression(expression) as Operand | null;
  if (!root) throw unreadable(expression);
  return writer(names, self?.toLowerCase(), expression).said(root).text;
}

function xpathText(text: string): string {
  if (!text.includes("'")) return `'${text}'`;
  if (!text.includes('"')) return `"${text}"`;
  throw unreadable(text);
}

function writer({ targets, repeat }: ReferenceScope, self: string | undefined, whole: string) {
  /** Answers that are known not to be blank in the part being converted. */
  let answeredNames: ReadonlySet<string> = new Set();
  const where = <T>(names: readonly string[], write: () => T): T => {
    const before = answeredNames;
    answeredNames = new Set([...before, ...names]);
    try {
      return write();
    } finally {
      answeredNames = before;
    }
  };

  /** `{age}`, `{panel.age}` or `{help.length}`. */
  const variable = (operand: Operand): { target: ExpressionNameTarget; counts: boolean } | null => {
    if (operand.getType() !== 'variable') return null;
    const variableName = (operandParts(operand).variable ?? '').toLowerCase();
    const inPanel = variableName.startsWith('panel.');
    const plain = variableName.replace(/^panel\./, '');
    const counts = plain.endsWith('.length') && !targets.has(plain);
    const target = targets.get(counts ? plain.replace(/\.length$/, '') : plain);
    if (!target)
      throw new RuleWithoutCounterpart('RULE_NAME', { name: operandParts(operand).variable ?? '' });
    if (target.repeat !== (inPanel ? repeat : null))
      throw new RuleWithoutCounterpart('RULE_OUTSIDE', { name: target.name });
    return { target, counts };
  };
  const answer = ({ target, counts }: { target: ExpressionNameTarget; counts: boolean }): string => {
    const own = target.name.toLowerCase() === self ? '.' : `\${${target.name}}`;
    if (!counts) return own;
    if (target.kind === 'repeat') return `count(${own})`;
    if (target.kind === 'many') return `count-selected(${own})`;
    if (['text', 'one', 'calculated'].includes(target.kind)) return `string-length(${own})`;
    throw unreadable(whole);
  };
  const literal = (operand: Operand): Literal | null => {
    if (operand.getType() !== 'const') return null;
    const value = operandParts(operand).correctValue;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : null;
  };
  const listOf = (operand: Operand): Literal[] => {
    const { values } = operandParts(operand);
    const items =
      operand.getType() === 'array' ? (Array.isArray(values) ? values : (values?.values ?? [])) : [operand];
    return items.map((one) => {
      const value = literal(one);
      if (value === null) throw unreadable(whole);
      return value;
    });
  };
  const asText = (value: Literal) => (typeof value === 'number' ? String(value) : xpathText(String(value)));
  const chain = (parts: ExpressionWithPrecedence[], op: 'and' | 'or'): ExpressionWithPrecedence => {
    const [onlyPart, ...others] = parts;
    if (onlyPart && others.length === 0) return onlyPart;
    const binds = PRECEDENCE[op] ?? 1;
    return { text: parts.map((part) => parenthesized(part, binds)).join(` ${op} `), binds };
  };
  const compared = (text: string): ExpressionWithPrecedence => ({ text, binds: COMPARISON_PRECEDENCE });
  const chained = (operand: Operand, op: 'and' | 'or'): ExpressionWithPrecedence => {
    const parts = joinedOperandsOf(operand, op);
    const blank = op === 'and' ? 'notempty' : 'empty';
    const implied = redundantOperands(parts, op);
    const rest = parts.filter((part) => !implied.has(part));
    return where(
      parts.flatMap((part) => variableInEmptyCheck(part, blank) ?? []),
      () => chain(rest.map(expressionOf), op),
    );
  };
  /** The form library treats blanks as 0 in calculations, so they become `coalesce(…, 0)`. */
  const number = (operand: Operand): ExpressionWithPrecedence => {
    const target = variable(operand);
    const isBlankable =
      target !== null &&
      !target.counts &&
      ['number', 'calculated', 'text', 'one'].includes(target.target.kind) &&
      target.target.name.toLowerCase() !== self &&
      !answeredNames.has(operand.toString());
    return isBlankable ? atomicExpression(`coalesce(${answer(target)}, 0)`) : expressionOf(operand);
  };

  const expressionOf = (operand: Operand): ExpressionWithPrecedence => {
    const type = operand.getType();
    const parts = operandParts(operand);
    if (type === 'const') {
      const value = literal(operand);
      if (value === null) throw unreadable(whole);
      return atomicExpression(typeof value === 'boolean' ? `${value}()` : asText(value));
    }
    const target = variable(operand);
    if (target) return atomicExpression(answer(target));
    if (type === 'unary') return unary(parts);
    if (type === 'function') return called(parts);
    if (type === 'binary' && (parts.operator === 'and' || parts.operator === 'or'))
      return chained(operand, parts.operator);
    if (type === 'binary' && parts.leftOperand && parts.rightOperand)
      return binary(parts.operator ?? '', parts.leftOperand, parts.rightOperand);
    throw unreadable(whole);
  };

  const unary = ({ operator = '', expression }: ExpressionOperandParts): ExpressionWithPrecedence => {
    if (!expression) throw unreadable(whole);
    if (operator === 'negate') return atomicExpression(`not(${expressionOf(expression).text})`);
    const target = variable(expression);
    if (!target || target.counts || !['empty', 'notempty'].includes(operator)) throw unreadable(whole);
    return {
      text: `${answer(target)} ${operator === 'empty' ? '=' : '!='} ''`,
      binds: COMPARISON_PRECEDENCE,
    };
  };

  const called = ({
    functionName = '',
    paramValues = [],
  }: ExpressionOperandParts): ExpressionWithPrecedence => {
    const [test, yes, no] = paramValues;
    const signedDays = functionName === 'iif' && test && no ? signed(test, no) : null;
    if (signedDays) return signedDays;
    if (functionName === 'iif' && test && yes && no && isBlankTest(test, yes))
      return atomicExpression(`coalesce(${guardedValue(test, yes).text}, ${expressionOf(no).text})`);
    if (functionName === 'iif' && test && yes && no)
      return atomicExpression(
        `if(${expressionOf(test).text}, ${expressionOf(yes).text}, ${expressionOf(no).text})`,
      );
    if (functionName === 'iif' && test && yes) return onlyIf(test, yes);
    const day = ofDays(functionName, paramValues);
    if (day !== null) return day;
    const part = Object.hasOwn(PARTS, functionName) ? PARTS[functionName] : undefined;
    if (part && test && !yes) return atomicExpression(`format-date(${expressionOf(test).text}, '${part}')`);
    const over = overTurns(functionName, paramValues);
    if (over !== null) return atomicExpression(over);
    if (functionName === 'displayValue' && test) {
      const target = targets.get(String(literal(test)).toLowerCase());
      if (target?.repeat === null)
        return atomicExpression(`jr:choice-name(\${${target.name}}, '\${${target.name}}')`);
    }
    const name = Object.hasOwn(CALLS, functionName) ? CALLS[functionName] : undefined;
    if (!name) throw new RuleWithoutCounterpart('RULE_FUNCTION', { name: `${functionName}()` });
    return atomicExpression(`${name}(${paramValues.map((one) => expressionOf(one).text).join(', ')})`);
  };

  /** Whether the test only checks conditions that the value needs anyway. */
  const isBlankTest = (test: Operand, value: Operand): boolean => {
    const needs = new Set(xpathNumberConditions(value));
    return joinedOperandsOf(test, 'and').every((one) => needs.has(one.toString()));
  };
  /** If the test checks more than that the answer exists, it checks that it is a number, so `number()` is added. */
  const guardedValue = (test: Operand, value: Operand): ExpressionWithPrecedence => {
    const guards = joinedOperandsOf(test, 'and');
    const names = guards.flatMap((one) => variableInEmptyCheck(one, 'notempty') ?? []);
    const more = value.getType() === 'variable' ? xpathNumberConditions(value).slice(1) : [];
    const isNumber = guards.some((one) => more.includes(one.toString()));
    const then = where(names, () => expressionOf(value));
    return isNumber ? atomicExpression(`number(${then.text})`) : then;
  };
  /** Drops the guards that an import adds around values, since XLSForm calculates nothing from blanks anyway. */
  const onlyIf = (test: Operand, yes: Operand): ExpressionWithPrecedence => {
    const guards = joinedOperandsOf(test, 'and');
    const then = guardedValue(test, yes);
    const needs = new Set(xpathNumberConditions(yes));
    const isDated = DATES.test(yes.toString());
    const rest = guards.filter((one) => {
      const { expression } = operandParts(one);
      if (needs.has(one.toString())) return false;
      if (!isDated || variableInEmptyCheck(one, 'notempty') === null || !expression) return true;
      return !then.text.includes(expressionOf(expression).text);
    });
    const remaining =
      rest.length > 0
        ? chain(
            rest.map((one) => expressionOf(one)),
            'and',
          )
        : null;
    return remaining ? atomicExpression(`if(${remaining.text}, ${then.text}, '')`) : then;
  };

  const span = (from: Operand | null, to: Operand, length: string): ExpressionWithPrecedence => {
    const [first, last] = [
      from ? parenthesized(expressionOf(from), 5) : 'today()',
      parenthesized(expressionOf(to), 5),
    ];
    return atomicExpression(`int((${first} - ${last}) div ${length})`);
  };
  /**
   * `age({dob})`, `dateDiff({a}, {b}, 'months')`, `dateAdd(today(), 7, 'days')`; a difference in days keeps its sign.
   */
  const ofDays = (
    functionName: string,
    [first, second, third]: Operand[],
  ): ExpressionWithPrecedence | null => {
    if (functionName === 'age' && first && !second) return span(null, first, '365.25');
    const unit = third ? literal(third) : null;
    if (functionName === 'dateDiff' && first && second && unit === 'years')
      return span(second, first, '365.25');
    if (functionName === 'dateDiff' && first && second && unit === 'months')
      return span(second, first, '30.4375');
    const days = second ? literal(second) : null;
    if (functionName !== 'dateAdd' || !first || unit !== 'days' || typeof days !== 'number') return null;
    const text = `${parenthesized(expressionOf(first), 4)} ${days < 0 ? '-' : '+'} ${Math.abs(days)}`;
    return { text, binds: PRECEDENCE['+'] ?? 4 };
  };
  /** `iif({a} < {b}, 0 - dateDiff({b}, {a}, 'days'), dateDiff({b}, {a}, 'days'))`. */
  const signed = (test: Operand, difference: Operand): ExpressionWithPrecedence | null => {
    const { functionName, paramValues: [from, to, unit] = [] } = operandParts(difference);
    const { operator, leftOperand, rightOperand } = operandParts(test);
    const isSame = (one: Operand | null | undefined, other: Operand) =>
      one && expressionOf(one).text === expressionOf(other).text;
    if (functionName !== 'dateDiff' || !from || !to || !unit || literal(unit) !== 'days') return null;
    if (operator !== 'less' || !isSame(leftOperand, to) || !isSame(rightOperand, from)) return null;
    return {
      text: `${parenthesized(expressionOf(to), 4)} - ${parenthesized(expressionOf(from), 5)}`,
      binds: PRECEDENCE['-'] ?? 4,
    };
  };
  const overTurns = (functionName: string, [of, name]: Operand[]): string | null => {
    const call = TURN_FUNCTIONS.get(functionName);
    const repeat = of ? variable(of)?.target : undefined;
    const target = name ? targets.get(String(literal(name)).toLowerCase()) : undefined;
    return call && repeat?.kind === 'repeat' && target?.repeat === repeat.name
      ? `${call}(\${${target.name}})`
      : null;
  };

  const binary = (operator: string, left: Operand, right: Operand): ExpressionWithPrecedence => {
    // A month is stored as its first day.
    if (operator === 'plus' && literal(right) === '-01') return expressionOf(left);
    const computes = XPATH_ARITHMETIC_OPERATORS[operator];
    if (computes) {
      const binds = PRECEDENCE[computes] ?? 4;
      return {
        text: `${parenthesized(number(left), binds)} ${computes} ${parenthesized(number(right), binds + 1)}`,
        binds,
      };
    }
    const turns = fullCountInArrayArguments(operator, left, right);
    const sum = turns && overTurns('sumInArray', turns);
    if (sum) return compared(`${sum} ${operator === 'equal' ? '=' : '!='} ${sum}`);
    const target = variable(left);
    if (target && !target.counts) {
      const special = ofAnswer(operator, target.target, answer(target), right);
      if (special) return special;
    }
    const compares = COMPARISONS[operator];
    if (!compares) throw unreadable(whole);
    const text = `${parenthesized(expressionOf(left), COMPARISON_PRECEDENCE + 1)} ${compares} ${parenthesized(expressionOf(right), COMPARISON_PRECEDENCE + 1)}`;
    return { text, binds: COMPARISON_PRECEDENCE };
  };

  /** Comparisons that depend on the question's type: with one of several choices, or with a calculated value. */
  const ofAnswer = (
    operator: string,
    { kind, renames }: ExpressionNameTarget,
    name: string,
    right: Operand,
  ): ExpressionWithPrecedence | null => {
    const choice = (value: Literal) => renames?.get(String(value)) ?? value;
    const is = (value: Literal) =>
      kind === 'many'
        ? `selected(${name}, ${xpathText(String(choice(value)))})`
        : `${name} = ${asText(choice(value))}`;
    switch (operator) {
      case 'contains':
      case 'notcontains': {
        const texts = listOf(right).map((value) =>
          kind === 'many' ? is(value) : `contains(${name}, ${xpathText(String(value))})`,
        );
        return operator === 'contains'
          ? chain(texts.map(compared), 'and')
          : atomicExpression(`not(${texts.join(' or ')})`);
      }
      case 'anyof':
        return chain(listOf(right).map(is).map(compared), 'or');
      case 'noneof':
        return atomicExpression(`not(${listOf(right).map(is).join(' or ')})`);
      case 'allof':
        return chain(listOf(right).map(is).map(compared), 'and');
      case 'equal':
      case 'notequal': {
        const sign = operator === 'equal' ? '=' : '!=';
        if (right.getType() === 'array') {
          const [onlyValue, ...others] = listOf(right);
          if (kind !== 'many' || onlyValue === undefined || others.length > 0) throw unreadable(whole);
          return {
            text: `${name} ${sign} ${xpathText(String(choice(onlyValue)))}`,
            binds: COMPARISON_PRECEDENCE,
          };
        }
        const value = literal(right);
        if (value !== null && choice(value) !== value)
          return { text: `${name} ${sign} ${asText(choice(value))}`, binds: COMPARISON_PRECEDENCE };
        // In XLSForm, calculated values are text: 'true' and 'false'.
        if (typeof value !== 'boolean') return null;
        return { text: `${name} ${sign} '${value}'`, binds: COMPARISON_PRECEDENCE };
      }
      default:
        return null;
    }
  };

  return { said: expressionOf };
}
