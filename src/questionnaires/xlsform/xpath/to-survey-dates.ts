/** Converts dates and date calculations to the form library's functions. Browser-safe. */
import type { XPathNode } from './xpath.ts';

interface ValueType {
  kind: string;
  isMonth?: boolean;
  clock?: boolean;
  formula?: XPathNode;
}

export interface XPathDateContext {
  known(node: XPathNode): ValueType | undefined;
  /** `{dob}`. */
  answer(node: XPathNode): string;
  value(node: XPathNode): string;
}

const CLOCKS = ['today', 'now'];
const WRAPPED = ['date', 'date-time', 'decimal-date-time', 'decimal-time'];
const PARTS: Record<string, string> = {
  '%Y': 'year',
  '%m': 'month',
  '%n': 'month',
  '%d': 'day',
  '%e': 'day',
};
const MAX_DEPTH = 20;

const isCall = (node: XPathNode | undefined, names: readonly string[]) =>
  node?.is === 'call' && names.includes(node.name);

export function createDateExpressionConverter({ known: typeOf, answer, value }: XPathDateContext) {
  const isDate = (node: XPathNode | undefined, depth = 0): boolean => {
    if (!node || depth > MAX_DEPTH) return false;
    if (node.is === 'call')
      return node.args.length === 0
        ? CLOCKS.includes(node.name)
        : WRAPPED.includes(node.name) && node.args.length === 1;
    if (node.is === 'binary')
      return (
        (node.op === '+' || node.op === '-') && isDate(node.left, depth + 1) && !isDate(node.right, depth + 1)
      );
    const reference = typeOf(node);
    return (
      reference?.kind === 'date' || (reference?.kind === 'calculated' && isDate(reference.formula, depth + 1))
    );
  };
  const day = (node: XPathNode): string => {
    if (node.is === 'call' && node.args.length === 0) return 'today()';
    if (node.is === 'call')
      return node.args[0] ? (isDate(node.args[0]) ? day(node.args[0]) : value(node.args[0])) : '';
    if (node.is === 'binary') {
      const count = node.right.is === 'number' ? node.right.value : null;
      const min = node.op === '-';
      const days =
        count === null ? `${min ? '0 - ' : ''}(${value(node.right)})` : String(min ? -count : count);
      return `dateAdd(${day(node.left)}, ${days}, 'days')`;
    }
    return typeOf(node)?.isMonth ? `${answer(node)} + '-01'` : answer(node);
  };
  /** The answers that a date uses. If one is missing, there must be no value, but the library would use 0. */
  const readIn = (node: XPathNode): string[] => {
    if (node.is === 'call') return node.args.flatMap(readIn);
    if (node.is === 'binary') return [...readIn(node.left), ...readIn(node.right)];
    return (node.is === 'name' || node.is === 'self') && typeOf(node)?.clock !== true ? [answer(node)] : [];
  };
  const guarded = (node: XPathNode, text: string): string => {
    const read = [...new Set(readIn(node))].map((name) => `${name} notempty`);
    return read.length > 0 ? `iif(${read.join(' and ')}, ${text})` : text;
  };
  /** The two dates of a difference. */
  const difference = (node: XPathNode | undefined): { to: XPathNode; from: XPathNode } | null =>
    node?.is === 'binary' && node.op === '-' && isDate(node.left) && isDate(node.right)
      ? { to: node.left, from: node.right }
      : null;
  const years = (node: XPathNode): string | null => {
    const [inner] = node.is === 'call' && ['int', 'floor'].includes(node.name) ? node.args : [];
    if (inner?.is !== 'binary' || inner.op !== 'div' || inner.right.is !== 'number') return null;
    const between = difference(inner.left);
    const length = inner.right.value;
    const unit = length >= 365 && length < 366 ? 'years' : length > 30.3 && length < 30.5 ? 'months' : null;
    if (!between || !unit) return null;
    const isAge = day(between.to) === 'today()' && unit === 'years';
    const isPlain = !typeOf(between.from)?.isMonth && !typeOf(between.to)?.isMonth;
    const text = isAge
      ? `age(${day(between.from)})`
      : `dateDiff(${day(between.from)}, ${day(between.to)}, '${unit}')`;
    return isPlain ? text : guarded(inner.left, text);
  };
  const days = (node: XPathNode): string | null => {
    const between = difference(node);
    if (!between) return null;
    const [to, from] = [day(between.to), day(between.from)];
    const count = `dateDiff(${from}, ${to}, 'days')`;
    return guarded(node, `iif(${to} < ${from}, 0 - ${count}, ${count})`);
  };
  const part = (node: XPathNode): string | null => {
    if (node.is !== 'call' || node.name !== 'format-date') return null;
    const [of, form] = node.args;
    const name = form?.is === 'text' && Object.hasOwn(PARTS, form.value) ? PARTS[form.value] : undefined;
    return of && name && isDate(of) ? guarded(of, `${name}(${day(of)})`) : null;
  };

  /** The date expression for a node, or null if it has nothing to do with dates. */
  return (node: XPathNode): string | null => {
    const expression = years(node) ?? days(node) ?? part(node);
    if (expression !== null) return expression;
    if (node.is === 'binary' && ['div', '*', '+', '-'].includes(node.op)) {
      const sides = [difference(node.left) ?? null, difference(node.right) ?? null];
      const sign = node.op === 'div' ? '/' : node.op;
      if (sides.some((one) => one !== null))
        return guarded(node, `${value(node.left)} ${sign} ${value(node.right)}`);
    }
    const isClock = isCall(node, ['now']);
    return (node.is === 'call' || node.is === 'binary') && !isClock && isDate(node) ? day(node) : null;
  };
}
