/**
 * Resolves the names in a rule. Throws RuleWithoutCounterpart, with the reason, for anything that can't be converted.
 * Browser-safe.
 */

import type { NoteCode } from '../notes.ts';
import type { PossibleTexts } from './to-survey-text.ts';
import type { XPathNode } from './xpath.ts';

export interface KnownName {
  kind: 'one' | 'many' | 'number' | 'text' | 'date' | 'calculated' | 'repeat' | 'group';
  /** The repeat that contains it. */
  repeat: string | null;
  /** Present in the sheet, but not imported. */
  leftOut?: boolean;
  /** The name in rules if it differs: `grid.row`. */
  as?: string;
  /** For dates: `isMonth` if only the month and year are asked, `clock` if it is the current date. */
  isMonth?: boolean;
  clock?: boolean;
  /** Only for calculated values. */
  formula?: XPathNode;
  /** Several questions have this name. */
  twice?: boolean;
  /** For questions with choices: their names. */
  choices?: PossibleTexts;
}

export interface ExpressionScope {
  names: ReadonlyMap<string, KnownName>;
  /** The question that the rule belongs to, written as a dot. */
  self: string | null;
  /** The repeat that contains the rule. */
  repeat: string | null;
  /** A choice's values in the columns of the choices sheet. */
  columns?: ReadonlyMap<string, string>;
  /** The rule runs only once, on the phone, and is never validated, so it may use the current date. */
  once?: boolean;
  /** A question that always has an answer when the rule is evaluated. */
  answered?: string;
}

/** The rule has no counterpart. */
export class RuleWithoutCounterpart extends Error {
  readonly code: Extract<NoteCode, `RULE_${string}`>;
  readonly params: Record<string, string | number>;

  constructor(code: RuleWithoutCounterpart['code'], params: Record<string, string | number> = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}

/** `{panel.age}` within its own repeat. */
export function questionReferenceTo(name: string, scope: ExpressionScope): string {
  if (name.includes('#')) throw new RuleWithoutCounterpart('RULE_FUNCTION', { name });
  const knownName = scope.names.get(name);
  if (knownName?.twice && name !== scope.self) throw new RuleWithoutCounterpart('RULE_TWICE', { name });
  if (!knownName || knownName.leftOut || knownName.clock || knownName.kind === 'group')
    throw new RuleWithoutCounterpart('RULE_NAME', { name });
  const reference = knownName.as ?? name;
  if (knownName.repeat === null) return reference;
  if (knownName.repeat !== scope.repeat) throw new RuleWithoutCounterpart('RULE_OUTSIDE', { name });
  return `panel.${reference}`;
}

/** SurveyJS has only one quotation mark and no way to write a backslash. */
export function quoteText(text: string): string {
  if (text.includes('\\')) throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text });
  return `'${text.replaceAll("'", "\\'")}'`;
}

export function nodeReader(scope: ExpressionScope) {
  const nameOf = (node: XPathNode): string | null =>
    node.is === 'name' ? node.name : node.is === 'self' ? scope.self : null;
  const knownOf = (node: XPathNode) => scope.names.get(nameOf(node) ?? '');
  const kindOf = (node: XPathNode) => knownOf(node)?.kind;
  /** The text of a literal or of a choice's column. */
  const textOf = (node: XPathNode): string | null => {
    if (node.is === 'text') return node.value;
    return node.is === 'column' ? (scope.columns?.get(node.name.toLowerCase()) ?? null) : null;
  };
  const literal = (node: XPathNode): string | null => {
    const text = textOf(node);
    if (text !== null) return text === '' ? null : quoteText(text);
    return node.is === 'number' ? String(node.value) : null;
  };
  /** An empty cell of the choices sheet, which is neither equal nor unequal to anything. */
  const isEmptyCell = (node: XPathNode) => node.is === 'column' && textOf(node) === '';
  /** An answer in a repeat that doesn't contain the rule. */
  const turnsOf = (node: XPathNode): { repeat: string; name: string } | null => {
    const knownName = node.is === 'name' ? scope.names.get(node.name) : undefined;
    if (!knownName?.repeat || knownName.repeat === scope.repeat || node.is !== 'name') return null;
    if (knownName.leftOut || knownName.twice || knownName.as)
      throw new RuleWithoutCounterpart('RULE_NAME', { name: node.name });
    return { repeat: questionReferenceTo(knownName.repeat, scope), name: node.name };
  };
  const answer = (node: XPathNode): string => {
    const name = nameOf(node);
    if (name === null) throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text: node.is });
    return scope.names.get(name)?.clock ? 'today()' : `{${questionReferenceTo(name, scope)}}`;
  };
  return { nameOf, knownOf, kindOf, textOf, literal, isEmptyCell, turnsOf, answer };
}
