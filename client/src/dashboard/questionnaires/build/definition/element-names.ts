/**
 * Names, which are the keys of the data: finds free names for new elements, and renames one wherever the questionnaire
 * refers to it.
 */
import {
  knownNames,
  NAMING_PROPERTIES,
  readingKeyOf,
  withQuotedName,
} from '../../../../../../src/questionnaires/definition/definition-references.ts';
import { type ElementPlace, elementAt, type Json, pagesOf, withProperty } from '../../element-paths.ts';

/** All that is written of the next version, its name aside. */
export interface VersionContent {
  definition: object;
  sizeQuestion: string;
  takesPartIf: string;
  /** The questions by which a person is known again, by name. */
  clues: readonly string[];
}

const MAX_NAME_LENGTH = 100;
const MAX_OF_TITLE = 30;

/** In lower case; the page of questions that stand on none has a name too. */
export const namesIn = (definition: object): Set<string> =>
  new Set([...knownNames(definition), ...pagesOf(definition).map(({ name }) => String(name).toLowerCase())]);

/** This name, or the next one with a number that nothing has yet. */
export function freeName(usedNames: ReadonlySet<string>, wishedName: string): string {
  if (!usedNames.has(wishedName.toLowerCase())) return wishedName;
  const stem = wishedName.replace(/\d+$/, '').slice(0, MAX_NAME_LENGTH - 6) || 'question';
  let number = 2;
  while (usedNames.has(`${stem}${number}`.toLowerCase())) number += 1;
  return `${stem}${number}`;
}

/** "Where did you sleep?" becomes `whereDidYouSleep`; empty where there are no letters that a file of data likes. */
export function nameFrom(text: string): string {
  const plain = text
    .replace(/<[^>]*>|\{[^}]*\}/g, ' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
  const words = plain.match(/[A-Za-z0-9]+/g) ?? [];
  let name = '';
  for (const word of words) {
    const next =
      name === '' ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
    if (name.length + next.length > MAX_OF_TITLE && name !== '') break;
    name += next.slice(0, MAX_OF_TITLE);
  }
  return /^\d/.test(name) ? '' : name;
}

/** Given by the page itself, and not by a person. */
export const isAutomaticName = (name: unknown): boolean =>
  /^(question|page|choice|row|column)\d+$/.test(String(name));

/** Takes every `{before}` for `{after}`, also with what stands behind a name: `{before.row}`, `{before-Comment}`; and `displayValue('before')`. */
export function withNameReplaced(text: string, before: string, after: string): string {
  const name = before.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const inBraces = text.replace(
    new RegExp(String.raw`\{(\s*#?)${name}(?=\s*\}|[.[]|-Comment\})`, 'gi'),
    `{$1${after.replaceAll('$', '$$$$')}`,
  );
  return withQuotedName(inBraces, before, after);
}

/** In all texts and expressions below; a pattern's braces count and name nothing. */
export function replaceName<T>(value: T, before: string, after: string, key = ''): T {
  if (typeof value === 'string') {
    if (key === 'regex') return value;
    if (NAMING_PROPERTIES.includes(key))
      return (value.toLowerCase() === before.toLowerCase() ? after : value) as T;
    return withNameReplaced(value, before, after) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((one: unknown) => replaceName(one, before, after, key));
    return list.every((one, index) => one === value[index]) ? value : (list as T);
  }
  const entries = Object.entries(value).map(([at, one]) => [
    at,
    replaceName<unknown>(one, before, after, readingKeyOf(value, key, at)),
  ]);
  const isUnchanged = entries.every(([at, one]) => (value as Json)[at as string] === one);
  return isUnchanged ? value : (Object.fromEntries(entries) as T);
}

/** Another name for a page or question, and for it wherever conditions, texts and the rule of who takes part speak of it. */
export function withNewName(work: VersionContent, place: ElementPlace, name: string): VersionContent {
  const element = elementAt(work.definition, place);
  const before = element?.name;
  if (!element || before === name) return work;
  const own = { ...work, definition: withProperty(work.definition, place, 'name', name) };
  // A page is never spoken of; what is stored under a name of its own is spoken of by that.
  if (typeof before !== 'string' || before === '' || place.length === 1) return own;
  const spokenTitle = typeof element.valueName === 'string' ? null : before;
  return {
    definition: spokenTitle === null ? own.definition : replaceName(own.definition, spokenTitle, name),
    clues: work.clues.map((one) => (one === before ? name : one)),
    sizeQuestion: work.sizeQuestion === before ? name : work.sizeQuestion,
    takesPartIf:
      spokenTitle === null ? work.takesPartIf : withNameReplaced(work.takesPartIf, spokenTitle, name),
  };
}
