/** What the parts of a rule stand for, by the names of its form. Throws, by name, what has no counterpart. Browser-safe. */

import type { NoteCode } from '../notes.ts';
import type { PossibleTexts } from './to-survey-text.ts';
import type { Node } from './xpath.ts';

export interface KnownName {
  kind: 'one' | 'many' | 'number' | 'text' | 'date' | 'calculated' | 'repeat' | 'group';
  /** The repeat that it stands in. */
  repeat: string | null;
  /** It was in the sheet, and has no counterpart. */
  leftOut?: boolean;
  /** What rules call it, where that is not its name: `grid.row`. */
  as?: string;
  /** Of a date: a month and its year alone; what day it is, which nobody is asked. */
  isMonth?: boolean;
  clock?: boolean;
  /** Of what is calculated. */
  formula?: Node;
  /** Several are called so. */
  twice?: boolean;
  /** Of a question with choices: their names. */
  choices?: PossibleTexts;
}

export interface ExpressionScope {
  names: ReadonlyMap<string, KnownName>;
  /** The question that the rule belongs to, for the dot. */
  self: string | null;
  /** The repeat that the rule stands in. */
  repeat: string | null;
  /** What the sheet choices has in its columns for one choice. */
  columns?: ReadonlyMap<string, string>;
  /** The rule is followed once, on the phone, and never judged: it may ask what day it is. */
  once?: boolean;
  /** The question that is answered wherever the rule is judged. */
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

/** `{panel.age}` inside of the repeat that it stands in. */
export function referenceTo(name: string, scope: ExpressionScope): string {
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

/** SurveyJS has one way to quote, and no way to say a backslash. */
export function quoteText(text: string): string {
  if (text.includes('\\')) throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text });
  return `'${text.replaceAll("'", "\\'")}'`;
}

export function nodeReader(scope: ExpressionScope) {
  const nameOf = (node: Node): string | null =>
    node.is === 'name' ? node.name : node.is === 'self' ? scope.self : null;
  const knownOf = (node: Node) => scope.names.get(nameOf(node) ?? '');
  const kindOf = (node: Node) => knownOf(node)?.kind;
  /** The text that a node is. */
  const textOf = (node: Node): string | null => {
    if (node.is === 'text') return node.value;
    return node.is === 'column' ? (scope.columns?.get(node.name.toLowerCase()) ?? null) : null;
  };
  const literal = (node: Node): string | null => {
    const text = textOf(node);
    if (text !== null) return text === '' ? null : quoteText(text);
    return node.is === 'number' ? String(node.value) : null;
  };
  /** Of the sheet choices: what is not there is neither equal nor unequal to anything. */
  const isEmptyCell = (node: Node) => node.is === 'column' && textOf(node) === '';
  /** An answer of a repeat that the rule stands outside of. */
  const turnsOf = (node: Node): { repeat: string; name: string } | null => {
    const knownName = node.is === 'name' ? scope.names.get(node.name) : undefined;
    if (!knownName?.repeat || knownName.repeat === scope.repeat || node.is !== 'name') return null;
    if (knownName.leftOut || knownName.twice || knownName.as)
      throw new RuleWithoutCounterpart('RULE_NAME', { name: node.name });
    return { repeat: referenceTo(knownName.repeat, scope), name: node.name };
  };
  const answer = (node: Node): string => {
    const name = nameOf(node);
    if (name === null) throw new RuleWithoutCounterpart('RULE_UNREADABLE', { text: node.is });
    return scope.names.get(name)?.clock ? 'today()' : `{${referenceTo(name, scope)}}`;
  };
  return { nameOf, knownOf, kindOf, textOf, literal, isEmptyCell, turnsOf, answer };
}
