/** Rules as text, with parentheses where an operator needs them. What binds and sums up is alike in both languages. */

export interface Expression {
  text: string;
  binds: number;
  /** What it is true of: each of these, or any of these. A chain takes them one by one, and none twice. */
  all?: readonly Expression[];
  any?: readonly Expression[];
}

/** How close an operator binds; what binds looser than its surroundings gets parentheses. */
export const PRECEDENCE: Record<string, number> = { or: 1, and: 2, '+': 4, '-': 4, '*': 5, div: 5, mod: 5 };
export const COMPARISON_PRECEDENCE = 3;
export const ATOM_PRECEDENCE = 9;

export const atom = (text: string): Expression => ({ text, binds: ATOM_PRECEDENCE });
export const parenthesized = (part: Expression, least: number) =>
  part.binds < least ? `(${part.text})` : part.text;

/** A chain of conditions, each of them once. */
export function joinConditions(parts: readonly Expression[], op: 'and' | 'or'): Expression {
  const key = op === 'and' ? 'all' : 'any';
  const once = new Map(parts.flatMap((part) => part[key] ?? [part]).map((part) => [part.text, part]));
  const [onlyPart, ...others] = once.values();
  if (onlyPart && others.length === 0) return onlyPart;
  const binds = PRECEDENCE[op] ?? 1;
  const alternatives = [...once.values()];
  return {
    text: alternatives.map((part) => parenthesized(part, binds + 1)).join(` ${op} `),
    binds,
    [key]: alternatives,
  };
}

/** What is so whatever is answered. */
export const ALWAYS_TRUE = '1 = 1';
export const ALWAYS_FALSE = '1 = 2';

/** What goes over all turns of a repeat, by its name in XLSForm. */
export const REPEAT_AGGREGATES: Record<string, string> = {
  sum: 'sumInArray',
  min: 'minInArray',
  max: 'maxInArray',
  count: 'countInArray',
};
