/**
 * Converts an XLSForm rule to a SurveyJS one. Throws RuleWithoutCounterpart, with the reason, if that isn't possible.
 * Browser-safe.
 */

import {
  ALWAYS_FALSE,
  ALWAYS_TRUE,
  ATOM_PRECEDENCE,
  atomicExpression,
  COMPARISON_PRECEDENCE,
  type ExpressionWithPrecedence,
  joinConditions,
  PRECEDENCE,
  parenthesized,
  REPEAT_AGGREGATES,
} from './precedence.ts';
import { type ExpressionScope, nodeReader, quoteText, RuleWithoutCounterpart } from './rule-scope.ts';
import { createBlankAnswerConditions, isArithmetic, isNumberText } from './to-survey-blanks.ts';
import { createDateExpressionConverter } from './to-survey-dates.ts';
import { dependsOnCase, mayBeText, withExactCaseComparison } from './to-survey-text.ts';
import {
  MAX_XPATH_LENGTH,
  operandsOf,
  parseXPath,
  UnreadableXPath,
  type XPathNode,
  XPathTooLong,
} from './xpath.ts';

/** Parses the text of a cell; throws RuleWithoutCounterpart. */
export function parseXPathRule(text: string): XPathNode {
  try {
    return parseXPath(text);
  } catch (error) {
    if (error instanceof XPathTooLong)
      throw new RuleWithoutCounterpart('RULE_LONG', { most: MAX_XPATH_LENGTH });
    if (error instanceof UnreadableXPath && /position\s*\(\s*\.\.\s*\)/.test(text))
      throw new RuleWithoutCounterpart('RULE_FUNCTION', { name: 'position(..)' });
    if (error instanceof UnreadableXPath) throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text });
    throw error;
  }
}

const SIGNS: Record<string, string> = { div: '/', mod: '%', '!=': '<>' };
const OPPOSITE: Record<string, string> = { '=': '<>', '<>': '=', empty: 'notempty', notempty: 'empty' };
const CALLS: Record<string, { name: string; least: number; most: number }> = {
  round: { name: 'round', least: 1, most: 2 },
  int: { name: 'trunc', least: 1, most: 1 },
  min: { name: 'min', least: 2, most: 20 },
  max: { name: 'max', least: 2, most: 20 },
};
/** Conversions that SurveyJS doesn't need. */
const PLAIN = ['number', 'string'];
const CONDITIONS = ['not', 'selected', 'contains', 'true', 'false'];

const isFixed = ({ text }: ExpressionWithPrecedence) => text === ALWAYS_TRUE || text === ALWAYS_FALSE;

export function conditionFromXPath(node: XPathNode, scope: ExpressionScope): string {
  return writer(scope).condition(node).text;
}

export function writeValueExpression(node: XPathNode, scope: ExpressionScope): string {
  return writer(scope).whole(node).text;
}

/** Functions for the current date and time. */
const CLOCKS: Record<string, string> = { today: 'today()', now: 'currentDate()' };

/** Their result is blank if any argument is blank. */
const STRICT_CALLS = ['round', 'int', 'min', 'max', 'sum'];

function writer(scope: ExpressionScope) {
  const { nameOf, knownOf, kindOf, textOf, literal, isEmptyCell, turnsOf, answer } = nodeReader(scope);
  const compared = (left: string, op: string, right?: string): ExpressionWithPrecedence => ({
    text: right === undefined ? `${left} ${op}` : `${left} ${op} ${right}`,
    binds: COMPARISON_PRECEDENCE,
  });
  const fixed = (holds: boolean): ExpressionWithPrecedence => ({
    text: holds ? ALWAYS_TRUE : ALWAYS_FALSE,
    binds: COMPARISON_PRECEDENCE,
  });
  const dated = createDateExpressionConverter({
    known: knownOf,
    answer,
    value: (node) => parenthesized(value(node), COMPARISON_PRECEDENCE + 1),
  });

  const value = (node: XPathNode): ExpressionWithPrecedence => {
    const day = dated(node);
    // A sum within another expression needs parentheses.
    if (day !== null)
      return {
        text: day,
        binds: / [+*/-] /.test(day.replace(/\(.*\)/s, '')) ? COMPARISON_PRECEDENCE + 1 : ATOM_PRECEDENCE,
      };
    if (node.is === 'number') return atomicExpression(String(node.value));
    if (node.is === 'name' || node.is === 'self') return atomicExpression(answer(node));
    const text = textOf(node);
    if (text !== null) return atomicExpression(quoteText(text));
    if (node.is === 'column') throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text: node.name });
    if (node.is === 'call') return CONDITIONS.includes(node.name) ? condition(node) : called(node);
    if (node.is !== 'binary') throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text: node.is });
    const binds = PRECEDENCE[node.op];
    if (binds === undefined || binds < COMPARISON_PRECEDENCE) return condition(node);
    const [left, right] = [
      parenthesized(operand(node.left), binds),
      parenthesized(operand(node.right), binds + 1),
    ];
    return { text: `${left} ${SIGNS[node.op] ?? node.op} ${right}`, binds };
  };
  /** The library treats blanks as 0, so `coalesce(${a}, 0)` can be shortened to `${a}`. */
  const operand = (node: XPathNode): ExpressionWithPrecedence => {
    const [first, second] = node.is === 'call' && node.name === 'coalesce' ? node.args : [];
    const isOrZero = first && nameOf(first) !== null && second?.is === 'number' && second.value === 0;
    return number(isOrZero ? first : node);
  };
  const number = (node: XPathNode): ExpressionWithPrecedence => {
    const text = textOf(node);
    return text !== null && isNumberText(text) ? atomicExpression(String(Number(text))) : value(node);
  };
  /** A value on its own: blank if it is calculated from a blank. */
  const whole = (node: XPathNode): ExpressionWithPrecedence => {
    const expression = value(node);
    const needs = isCalculated(node) ? needsOf(node, true) : [];
    if (needs.some(({ text }) => text === ALWAYS_FALSE))
      throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text: expression.text });
    return needs.length === 0
      ? expression
      : atomicExpression(`iif(${joinConditions(needs, 'and').text}, ${expression.text})`);
  };
  /**
   * Expressions that the library would also calculate from blanks. Dates have no value without their answers anyway.
   */
  const isCalculated = (node: XPathNode): boolean => {
    const inner = numberIn(node);
    if (inner) return isCalculated(inner) || mayBeText(knownOf(inner));
    if (node.is === 'call') return STRICT_CALLS.includes(node.name) && dated(node) === null;
    return isArithmetic(node) && (dated(node) === null || hasCountOfDays(node));
  };
  /** The argument of `number(${a})`. */
  const numberIn = (node: XPathNode) =>
    node.is === 'call' && node.name === 'number' ? node.args[0] : undefined;
  /** A date plus a number of days, if that number is an answer. */
  const hasCountOfDays = (node: XPathNode) =>
    node.is === 'binary' && node.right.is !== 'number' && dated(node)?.startsWith('dateAdd(') === true;
  const needsOf = createBlankAnswerConditions({
    isAnswered: (node) => nameOf(node) !== null && nameOf(node) === scope.answered,
    isText: (node) => mayBeText(knownOf(node)),
    answer,
    textOf,
    condition: (node) => condition(node).text,
    number: (node) => parenthesized(number(node), COMPARISON_PRECEDENCE + 1),
    turnsOf,
  });

  const called = ({ name, args }: Extract<XPathNode, { is: 'call' }>): ExpressionWithPrecedence => {
    const [first, second, third] = args;
    if (name === 'if' && first && second && third && args.length === 3)
      return atomicExpression(`iif(${condition(first).text}, ${whole(second).text}, ${whole(third).text})`);
    if (name === 'coalesce' && first && second && args.length === 2) {
      const needs = needsOf(first);
      if (needs.length === 0) return whole(first);
      return atomicExpression(
        `iif(${joinConditions(needs, 'and').text}, ${value(first).text}, ${whole(second).text})`,
      );
    }
    if (name === 'count-selected' && first && kindOf(first) === 'many') return countOf(first);
    if (name === 'count' && first && kindOf(first) === 'repeat') return countOf(first);
    if (name === 'string-length' && first && ['text', 'one', 'calculated'].includes(kindOf(first) ?? ''))
      return countOf(first);
    if (name === 'jr:choice-name' && first) return atomicExpression(choiceName(first));
    const turns = args.length === 1 && first ? overTurns(name, first) : null;
    if (turns !== null) return atomicExpression(turns);
    if (PLAIN.includes(name) && first && args.length === 1) return value(first);
    const clock = Object.hasOwn(CLOCKS, name) && args.length === 0 ? CLOCKS[name] : undefined;
    if (clock !== undefined) {
      if (!scope.once && name === 'now') throw new RuleWithoutCounterpart('RULE_TIME', { name: `${name}()` });
      return atomicExpression(clock);
    }
    const builtIn = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
    if (!builtIn || args.length < builtIn.least || args.length > builtIn.most)
      throw new RuleWithoutCounterpart('RULE_FUNCTION', { name: `${name}()` });
    return atomicExpression(`${builtIn.name}(${args.map((one) => number(one).text).join(', ')})`);
  };
  /** The label of the selected choice. */
  const choiceName = (node: XPathNode): string => {
    const kind = kindOf(node);
    const reference = answer(node).slice(1, -1);
    if ((kind !== 'one' && kind !== 'many') || /[.']/.test(reference))
      throw new RuleWithoutCounterpart('RULE_FUNCTION', { name: 'jr:choice-name()' });
    return `displayValue('${reference}')`;
  };
  /** Null if it is no answer of a repeat outside of the rule. */
  const overTurns = (name: string, node: XPathNode): string | null => {
    const call = Object.hasOwn(REPEAT_AGGREGATES, name) ? REPEAT_AGGREGATES[name] : undefined;
    const turns = call ? turnsOf(node) : null;
    if (!call || !turns) return null;
    // XPath counts all entries, answered or not.
    return name === 'count' ? `{${turns.repeat}.length}` : `${call}({${turns.repeat}}, '${turns.name}')`;
  };
  const filled = (node: XPathNode): ExpressionWithPrecedence => compared(answer(node), 'notempty');
  const countOf = (node: XPathNode): ExpressionWithPrecedence =>
    atomicExpression(answer(node).replace(/\}$/, '.length}'));

  const condition = (node: XPathNode): ExpressionWithPrecedence => {
    if (node.is === 'name' || node.is === 'self')
      return kindOf(node) === 'calculated' ? compared(answer(node), '=', 'true') : filled(node);
    if (node.is === 'binary' && (node.op === 'or' || node.op === 'and')) return joinParts(node, node.op);
    if (node.is === 'binary' && PRECEDENCE[node.op] === undefined) return comparison(node);
    if (node.is !== 'call') throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text: node.is });
    const [first, second] = node.args;
    if (node.name === 'true' && !first) return fixed(true);
    if (node.name === 'false' && !first) return fixed(false);
    if (node.name === 'not' && first) return opposite(first);
    if (['selected', 'contains'].includes(node.name) && second && isEmptyCell(second)) return fixed(false);
    if (node.name === 'selected' && first && second) return selected(first, second);
    if (node.name === 'contains' && first && second)
      return compared(answer(first), 'contains', whole(second).text);
    if (['boolean', 'boolean-from-string'].includes(node.name) && first) return condition(first);
    const third = node.args[2];
    if (node.name === 'if' && first && second && third)
      return atomicExpression(`iif(${[first, second, third].map((one) => condition(one).text).join(', ')})`);
    throw new RuleWithoutCounterpart('RULE_FUNCTION', { name: `${node.name}()` });
  };

  const selected = (list: XPathNode, choice: XPathNode): ExpressionWithPrecedence => {
    if (kindOf(list) !== 'many') return equality('=', list, choice);
    const name = textOf(choice);
    const choices = knownOf(list)?.choices;
    // The library ignores case.
    if (name !== null && choices && !choices.has(name)) return fixed(false);
    return compared(answer(list), 'contains', value(choice).text);
  };
  const equality = (op: '=' | '!=', left: XPathNode, right: XPathNode): ExpressionWithPrecedence => {
    const sign = SIGNS[op] ?? op;
    const [one, other] = [left, right].map((side) => parenthesized(value(side), COMPARISON_PRECEDENCE + 1));
    const test = compared(one ?? '', sign, other);
    return dependsOnCase(sideOf(left), sideOf(right))
      ? withExactCaseComparison(test, one ?? '', other ?? '')
      : test;
  };
  const sideOf = (node: XPathNode) => ({ text: textOf(node), known: knownOf(node) });

  /** `{help} anyof ['food', 'bed']` for "or" over answers to the same question. */
  const joinParts = (node: XPathNode, op: 'and' | 'or'): ExpressionWithPrecedence => {
    const parts = operandsOf(node, op);
    const terms: ExpressionWithPrecedence[] = [];
    for (let at = 0; at < parts.length; ) {
      const first = op === 'or' ? oneAnswer(parts[at]) : null;
      const sameAnswers = [];
      while (first) {
        const next = oneAnswer(parts[at + sameAnswers.length]);
        if (next?.answer !== first.answer) break;
        sameAnswers.push(next.literal);
      }
      const part = parts[at];
      if (first && sameAnswers.length > 1)
        terms.push(compared(first.answer, 'anyof', `[${sameAnswers.join(', ')}]`));
      else if (part) terms.push(condition(part));
      at += Math.max(1, sameAnswers.length);
    }
    const decides = op === 'or' ? ALWAYS_TRUE : ALWAYS_FALSE;
    if (terms.some(({ text }) => text === decides)) return fixed(op === 'or');
    const open = terms.filter((one) => !isFixed(one));
    return open.length === 0 ? fixed(op === 'and') : joinConditions(open, op);
  };
  const oneAnswer = (node: XPathNode | undefined): { answer: string; literal: string } | null => {
    const [left, right] =
      node?.is === 'call' && node.name === 'selected'
        ? node.args
        : node?.is === 'binary' && node.op === '=' && kindOf(node.left) !== 'many'
          ? [node.left, node.right]
          : [];
    if (!left || !right || nameOf(left) === null || kindOf(left) === 'calculated') return null;
    if (kindOf(left) !== 'many' && dependsOnCase(sideOf(left), sideOf(right))) return null;
    const text = literal(right);
    return text === null ? null : { answer: answer(left), literal: text };
  };

  const comparison = ({
    op,
    left,
    right,
  }: Extract<XPathNode, { is: 'binary' }>): ExpressionWithPrecedence => {
    const sign = SIGNS[op] ?? op;
    if (isEmptyCell(left) || isEmptyCell(right)) return fixed(false);
    const choosing = [left, right].find(choosesNumber);
    if (choosing) {
      const [test, ...branches] = choosing.args;
      const [then, otherwise] = branches.map((branch) => {
        const sides = choosing === left ? { left: branch, right } : { left, right: branch };
        return comparison({ is: 'binary', op, ...sides }).text;
      });
      return test ? atomicExpression(`iif(${condition(test).text}, ${then}, ${otherwise})`) : fixed(false);
    }
    const isEqual = op === '=' || op === '!=';
    // Two texts, for example if a filter compares a cell with a literal.
    const [one, other] = [textOf(left), textOf(right)];
    if (one !== null && other !== null && isEqual) return fixed((one === other) === (op === '='));
    if (one !== null && nameOf(right) !== null && isEqual)
      return comparison({ is: 'binary', op, left: right, right: left });
    if (other === '' && isEqual) return compared(answer(left), op === '=' ? 'empty' : 'notempty');
    const size =
      left.is === 'call' && ['string-length', 'count-selected'].includes(left.name) ? left.args[0] : null;
    if (size && right.is === 'number') {
      const none = (op === '=' && right.value === 0) || (op === '<' && right.value === 1);
      const some = (op === '>' || op === '!=') && right.value === 0;
      if (none || some || (op === '>=' && right.value === 1))
        return compared(answer(size), none ? 'empty' : 'notempty');
    }
    const either = eitherOf(right) ?? (kindOf(left) === 'calculated' ? other : null);
    if (either === 'true' || either === 'false')
      return compared(parenthesized(value(left), COMPARISON_PRECEDENCE + 1), sign, either);
    const exactly = kindOf(left) === 'many' ? literal(right) : null;
    if (exactly !== null && isEqual) return compared(answer(left), sign, `[${exactly}]`);
    if (isEqual) return guarded(op, left, right, equality(op, left, right));
    const [less, more] = [left, right].map((side) => parenthesized(number(side), COMPARISON_PRECEDENCE + 1));
    return guarded(op, left, right, compared(less ?? '', sign, more));
  };
  /** A comparison with a number calculated from a blank is false, except for "not equal", which is true. */
  const guarded = (
    op: string,
    left: XPathNode,
    right: XPathNode,
    expression: ExpressionWithPrecedence,
  ): ExpressionWithPrecedence => {
    const needs = [...needsBeside(left, right), ...needsBeside(right, left)];
    // The library treats two blanks as equal, and orders texts.
    const isOrdered = op !== '=' && op !== '!=';
    const areBlank = (op === '<=' || op === '>=') && mayBeBlank(left) && mayBeBlank(right);
    const areWords = isOrdered && mayBeText(knownOf(left)) && mayBeText(knownOf(right));
    if (needs.length === 0 && (areBlank || areWords)) needs.push(...needsOf(left));
    if (needs.some(({ text }) => text === ALWAYS_FALSE)) return fixed(op === '!=');
    if (op === '!=') return joinConditions([...needs.map(({ lacks }) => lacks), expression], 'or');
    return joinConditions([...needs, expression], 'and');
  };
  const needsBeside = (node: XPathNode, other: XPathNode) =>
    isCalculated(node) || ((dated(node) !== null || numberIn(node)) && mayBeBlank(other))
      ? needsOf(node)
      : [];
  /**
   * An `if` that may return a calculated number. Blank answers equal each other, but a number calculated from a blank
   * equals nothing, and such an expression can be either.
   */
  const choosesNumber = (node: XPathNode): node is Extract<XPathNode, { is: 'call' }> =>
    node.is === 'call' &&
    node.name === 'if' &&
    node.args.length === 3 &&
    node.args.slice(1).some((branch) => isCalculated(branch) || choosesNumber(branch));
  const mayBeBlank = (node: XPathNode) => textOf(node) === null && needsOf(node).length > 0;
  const eitherOf = (node: XPathNode) => (node.is === 'call' && node.args.length === 0 ? node.name : null);

  const opposite = (node: XPathNode): ExpressionWithPrecedence => {
    const expression = condition(node);
    if (isFixed(expression)) return fixed(expression.text === ALWAYS_FALSE);
    if (expression.all || expression.any) return atomicExpression(`!(${expression.text})`);
    if (node.is === 'call' && node.name === 'selected')
      return {
        ...expression,
        text: expression.text.replace(
          /^(\{[^}]+\}) (contains|=) /,
          (_, name: string, op: string) => `${name} ${op === '=' ? '<>' : 'notcontains'} `,
        ),
      };
    if (node.is === 'binary' && node.op !== 'and' && node.op !== 'or') {
      const [, name, op, rest] = /^(\{[^}]+\}) (=|<>|empty|notempty)( [^()]*)?$/.exec(expression.text) ?? [];
      if (name && op) return { ...expression, text: `${name} ${OPPOSITE[op]}${rest ?? ''}` };
    }
    const several = /^(\{[^}]+\}) anyof (\[[^[\]]*\])$/.exec(expression.text);
    if (several) return { ...expression, text: `${several[1]} noneof ${several[2]}` };
    return atomicExpression(`!(${expression.text})`);
  };

  return { condition, whole };
}
