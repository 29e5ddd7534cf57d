/** Compares texts as XLSForm does, where "Yes" differs from "yes"; the form library ignores case. Browser-safe. */
import { atomicExpression, type ExpressionWithPrecedence, joinConditions } from './precedence.ts';
import { isNumberText } from './to-survey-blanks.ts';
import type { XPathNode } from './xpath.ts';

/** What is known about an answer or calculated value. */
interface ValueType {
  kind: string;
  choices?: PossibleTexts;
  formula?: XPathNode;
}

interface Side {
  /** The value of a literal. */
  text: string | null;
  known: ValueType | undefined;
}

const MAX_VALUES = 100;

/** All values that an answer can have. */
export class PossibleTexts {
  readonly #all: ReadonlySet<string>;
  /** By lower case. */
  readonly #folded = new Map<string, string[]>();

  constructor(values: Iterable<string>) {
    this.#all = new Set(values);
    for (const value of this.#all) {
      const sameFolded = this.#folded.get(value.toLowerCase());
      if (sameFolded) sameFolded.push(value);
      else this.#folded.set(value.toLowerCase(), [value]);
    }
  }

  has(value: string): boolean {
    return this.#all.has(value);
  }

  /** Whether one of them differs from this text only in case. */
  hasTwinOf(text: string): boolean {
    return this.#folded.get(text.toLowerCase())?.some((value) => value !== text) ?? false;
  }

  get areNumbers(): boolean {
    return [...this.#all].every(isNumberText);
  }

  hasTwinIn(other: PossibleTexts): boolean {
    return [...this.#all].some((value) => other.hasTwinOf(value));
  }
}

/** Null if it can be any text. */
function valuesOf({ known: type }: Side): PossibleTexts | null {
  return type?.choices ?? (type?.formula ? leavesOf(type.formula) : null);
}

/** `if(…, 'adult', 'child')`: its possible results. */
function leavesOf(formula: XPathNode): PossibleTexts | null {
  const leaves = new Set<string>();
  const open = [formula];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.is === 'text') leaves.add(node.value);
    else if (node.is === 'call' && node.name === 'if' && node.args.length === 3)
      open.push(...node.args.slice(1));
    else return null;
    if (leaves.size > MAX_VALUES) return null;
  }
  return new PossibleTexts(leaves);
}

const TEXTS: readonly (string | undefined)[] = ['text', 'one', 'calculated'];

/** Whether it can be text. Calculated values are assumed to be numbers unless they choose from texts. */
export function mayBeText(type: ValueType | undefined): boolean {
  const values = valuesOf({ text: null, known: type });
  if (type?.kind === 'text') return true;
  return values !== null && !values.areNumbers;
}

/** Whether the two sides may differ only in case. The left one is not a literal. */
export function dependsOnCase(left: Side, right: Side): boolean {
  if (!TEXTS.includes(left.known?.kind)) return false;
  const values = valuesOf(left);
  // The values of an external list are unknown.
  if (left.known?.kind === 'one' && values === null) return false;
  if (right.text !== null)
    return values ? values.hasTwinOf(right.text) : right.text.toLowerCase() !== right.text.toUpperCase();
  if (!TEXTS.includes(right.known?.kind)) return false;
  const others = valuesOf(right);
  return values === null || others === null || values.hasTwinIn(others);
}

/**
 * If two texts differ only in case, the library still orders them: one is less than the other. This makes it compare
 * them exactly.
 */
export function withExactCaseComparison(
  same: ExpressionWithPrecedence,
  left: string,
  right: string,
): ExpressionWithPrecedence {
  const differs = [`${left} < ${right}`, `${left} > ${right}`].map((text) => ({ ...same, text }));
  if (same.text === `${left} <> ${right}`) return joinConditions([same, ...differs], 'or');
  return joinConditions([same, atomicExpression(`!(${joinConditions(differs, 'or').text})`)], 'and');
}
