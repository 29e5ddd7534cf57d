/**
 * The answers that a calculation needs. In XLSForm, calculating with a blank answer gives a blank, and comparing a
 * blank with anything is false; the form library treats a blank as 0. Browser-safe.
 */
import {
  ALWAYS_FALSE,
  ALWAYS_TRUE,
  atomicExpression,
  COMPARISON_PRECEDENCE,
  type ExpressionWithPrecedence,
  joinConditions,
  PRECEDENCE,
} from './precedence.ts';
import type { XPathNode } from './xpath.ts';

/** A condition and its opposite. */
interface Need extends ExpressionWithPrecedence {
  lacks: ExpressionWithPrecedence;
}

interface Writer {
  /** An answer that is never blank when the rule is evaluated. */
  isAnswered(node: XPathNode): boolean;
  /** An answer that may be text. */
  isText(node: XPathNode): boolean;
  /** `{age}`. */
  answer(node: XPathNode): string;
  textOf(node: XPathNode): string | null;
  condition(node: XPathNode): string;
  number(node: XPathNode): string;
  /** An answer in a repeat, seen from outside of it. */
  turnsOf(node: XPathNode): { repeat: string; name: string } | null;
}

/** Functions whose result doesn't depend on their arguments being numbers, or isn't a number. */
const NEVER_BLANK = [
  'count',
  'count-selected',
  'string-length',
  'not',
  'selected',
  'contains',
  'true',
  'false',
  'today',
  'now',
  'boolean',
  'boolean-from-string',
];

export const isArithmetic = (node: XPathNode): node is Extract<XPathNode, { is: 'binary' }> =>
  node.is === 'binary' && (PRECEDENCE[node.op] ?? 0) > COMPARISON_PRECEDENCE;

export const isNumberText = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

const eitherNeed = (holds: string, isMissing: string): Need => ({
  text: holds,
  binds: COMPARISON_PRECEDENCE,
  lacks: { text: isMissing, binds: COMPARISON_PRECEDENCE },
});
const NONE = eitherNeed(ALWAYS_FALSE, ALWAYS_TRUE);
const uniqueNeeds = (needs: Need[]): Need[] => [...new Map(needs.map((need) => [need.text, need])).values()];
const allNeeds = (needs: Need[]) => (needs.length === 0 ? ALWAYS_TRUE : joinConditions(needs, 'and').text);

export function createBlankAnswerConditions({
  isAnswered,
  isText,
  answer,
  textOf,
  condition,
  number,
  turnsOf,
}: Writer) {
  /** `isTop`: the result isn't used in another calculation, so a division by 0, which gives no value, does no harm. */
  const needsOf = (node: XPathNode, isTop = false): Need[] => {
    if (node.is === 'number') return [];
    const text = textOf(node);
    if (text !== null) return isNumberText(text) ? [] : [NONE];
    if (node.is === 'call') return uniqueNeeds(ofCall(node));
    if (node.is !== 'binary') return ofAnswer(node);
    if (!isArithmetic(node)) return [];
    return uniqueNeeds([...needsOf(node.left), ...needsOf(node.right), ...(isTop ? [] : divisorOf(node))]);
  };
  const ofAnswer = (node: XPathNode): Need[] => {
    const name = answer(node);
    if (!name.startsWith('{')) return [];
    const needs = isAnswered(node) ? [] : [eitherNeed(`${name} notempty`, `${name} empty`)];
    // A text minus itself is NaN, not 0.
    return isText(node) ? [...needs, eitherNeed(`${name} - ${name} = 0`, `${name} - ${name} <> 0`)] : needs;
  };
  const divisorOf = ({ op, right }: Extract<XPathNode, { is: 'binary' }>): Need[] => {
    if (op !== 'div' && op !== 'mod') return [];
    if (right.is === 'number') return right.value === 0 ? [NONE] : [];
    const divisor = number(right);
    return [eitherNeed(`${divisor} <> 0`, `${divisor} = 0`)];
  };
  const ofCall = ({ name, args }: Extract<XPathNode, { is: 'call' }>): Need[] => {
    const [first, second, third] = args;
    if (NEVER_BLANK.includes(name) || !first) return [];
    const turns = args.length === 1 ? turnsOf(first) : null;
    if (turns) {
      const [count, of] = [`countInArray({${turns.repeat}}, '${turns.name}')`, `{${turns.repeat}.length}`];
      const isGiven = eitherNeed(`${count} = ${of}`, `${count} <> ${of}`);
      return name === 'sum' ? [isGiven] : [isGiven, eitherNeed(`${of} > 0`, `${of} = 0`)];
    }
    if (name === 'if' && second && third) {
      const [then, otherwise] = [needsOf(second), needsOf(third)];
      if (then.length + otherwise.length === 0) return [];
      const holds = `iif(${condition(first)}, ${allNeeds(then)}, ${allNeeds(otherwise)})`;
      return [{ ...atomicExpression(holds), lacks: atomicExpression(`!(${holds})`) }];
    }
    if (name === 'coalesce' && second) {
      const [one, other] = [needsOf(first), needsOf(second)];
      if (one.length === 0 || other.length === 0) return [];
      const holds = `(${allNeeds(one)}) or (${allNeeds(other)})`;
      return [{ text: holds, binds: PRECEDENCE.or ?? 1, lacks: atomicExpression(`!(${holds})`) }];
    }
    return args.flatMap((arg) => (textOf(arg) === null ? needsOf(arg) : []));
  };
  return needsOf;
}
