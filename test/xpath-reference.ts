/** What XLSForm's rules mean, by the XPath that phones follow: a small evaluator for tests. A blank answer is no number. */
import type { XPathNode } from '../src/questionnaires/xlsform/xpath/xpath.ts';

export type Value = number | string | boolean;
/** Of a repeat, the answers of each turn. */
export type Answers = Readonly<Record<string, Value | readonly Value[]>>;

const numberOf = (value: Value) =>
  typeof value === 'string' ? (value.trim() === '' ? Number.NaN : Number(value)) : Number(value);
const isBlank = (value: Value) => value === '' || Number.isNaN(value);
export const truth = (value: Value) =>
  typeof value === 'string' ? value !== '' : typeof value === 'number' ? !Number.isNaN(value) : value;

function equal(left: Value, right: Value): boolean {
  if (typeof left === 'boolean' || typeof right === 'boolean') return truth(left) === truth(right);
  if (typeof left === 'number' || typeof right === 'number') return numberOf(left) === numberOf(right);
  return left === right;
}

const CALCULATE: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  // A division by 0 has no value here, since no answer can be stored for it.
  div: (a, b) => (b === 0 ? Number.NaN : a / b),
  mod: (a, b) => a % b,
};
const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

export function evaluateXPath(node: XPathNode, answers: Answers): Value {
  const valueAt = (one: XPathNode | undefined): Value => (one ? evaluateXPath(one, answers) : '');
  switch (node.is) {
    case 'number':
    case 'text':
      return node.value;
    case 'name': {
      const value = answers[node.name] ?? '';
      return Array.isArray(value) ? '' : (value as Value);
    }
    case 'binary': {
      const [left, right] = [valueAt(node.left), valueAt(node.right)];
      if (node.op === 'and') return truth(left) && truth(right);
      if (node.op === 'or') return truth(left) || truth(right);
      if (node.op === '=' || node.op === '!=') return equal(left, right) === (node.op === '=');
      const [a, b] = [numberOf(left), numberOf(right)];
      return COMPARE[node.op]?.(a, b) ?? CALCULATE[node.op]?.(a, b) ?? '';
    }
    case 'call':
      return call(node.name, node.args, answers);
    default:
      throw new Error(`The evaluator knows no ${node.is}.`);
  }
}

function call(name: string, args: XPathNode[], answers: Answers): Value {
  const [first] = args;
  const turns = first?.is === 'name' ? answers[first.name] : undefined;
  const [one = '', other = '', third = ''] = args.map((arg) => evaluateXPath(arg, answers));
  const numbers = (Array.isArray(turns) ? turns : args.map((arg) => evaluateXPath(arg, answers))).map(
    numberOf,
  );
  switch (name) {
    case 'not':
      return !truth(one);
    case 'selected':
      return one === other;
    case 'if':
      return truth(one) ? other : third;
    case 'coalesce':
      return isBlank(one) ? other : one;
    case 'number':
      return numberOf(one);
    case 'int':
      return Math.trunc(numberOf(one));
    case 'round':
      return Math.round(numberOf(one));
    case 'sum':
      return numbers.reduce((sum, value) => sum + value, 0);
    case 'count':
      return numbers.length;
    case 'min':
      return numbers.length === 0 ? Number.NaN : Math.min(...numbers);
    case 'max':
      return numbers.length === 0 ? Number.NaN : Math.max(...numbers);
    case 'string-length':
      return String(one).length;
    default:
      throw new Error(`The evaluator knows no ${name}().`);
  }
}
