/**
 * Builds rules as text, with parentheses where an operator needs them. Precedence and aggregates are the same in both
 * languages.
 */

export interface ExpressionWithPrecedence {
  text: string;
  binds: number;
  /** The terms of a chain with "and" or "or", so that chains can be merged without duplicates. */
  all?: readonly ExpressionWithPrecedence[];
  any?: readonly ExpressionWithPrecedence[];
}

/** Precedence of operators; operands that bind less tightly get parentheses. */
export const PRECEDENCE: Record<string, number> = { or: 1, and: 2, '+': 4, '-': 4, '*': 5, div: 5, mod: 5 };
export const COMPARISON_PRECEDENCE = 3;
export const ATOM_PRECEDENCE = 9;

export const atomicExpression = (text: string): ExpressionWithPrecedence => ({
  text,
  binds: ATOM_PRECEDENCE,
});
export const parenthesized = (part: ExpressionWithPrecedence, least: number) =>
  part.binds < least ? `(${part.text})` : part.text;

/** A chain of conditions without duplicates. */
export function joinConditions(
  parts: readonly ExpressionWithPrecedence[],
  op: 'and' | 'or',
): ExpressionWithPrecedence {
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

/** Constant conditions. */
export const ALWAYS_TRUE = '1 = 1';
export const ALWAYS_FALSE = '1 = 2';

/** Functions over all entries of a repeat, by their XLSForm names. */
export const REPEAT_AGGREGATES: Record<string, string> = {
  sum: 'sumInArray',
  min: 'minInArray',
  max: 'maxInArray',
  count: 'countInArray',
};
