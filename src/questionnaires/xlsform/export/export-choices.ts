/** A question's choices as rows of the choices sheet, with the columns that filter them. Browser-safe. */
import { isPlainObject } from '../../../platform/lib/objects/plain-object.ts';
import type { TextOrTranslations } from '../languages.ts';
import { UniqueNames } from '../unique-names.ts';
import {
  arrayOrEmpty,
  type ExportedElement,
  type JsonObject,
  type XlsformExportContext,
} from './export-element.ts';

export interface WrittenChoice {
  name: string;
  label: TextOrTranslations;
  /** Columns for filters. */
  [column: string]: TextOrTranslations;
}

export function exportChoices(writing: XlsformExportContext, element: ExportedElement, exclusive: string[]) {
  const allChoices = arrayOrEmpty(element.take('choices'));
  const filtered = filterOf(writing, element, allChoices);
  if (allChoices.some((one) => typeof (isPlainObject(one) ? one.value : one) !== 'string'))
    element.tell('CHOICES_TEXT');
  const names = choiceNames(element.json);
  const choices = allChoices.flatMap((one, at): WrittenChoice[] => {
    const item: JsonObject = isPlainObject(one) ? one : { value: one };
    const { value, text, isExclusive, visibleIf, ...rest } = item;
    const { from, to: name } = names[at] ?? { from: '', to: '' };
    if (name !== from) element.tell('CHOICE_CHANGED', { from, to: name });
    if (isExclusive === true && element.json.type === 'checkbox') exclusive.push(name);
    else if (isExclusive === true) element.tell('PROPERTY_LEFT_OUT', { property: 'choices.isExclusive' });
    if (visibleIf !== undefined && !filtered)
      element.tell('PROPERTY_LEFT_OUT', { property: 'choices.visibleIf' });
    for (const property of Object.keys(rest))
      element.tell('PROPERTY_LEFT_OUT', { property: `choices.${property}` });
    const label = element.words(text) ?? String(value);
    const ways = filtered?.columns.get(one) ?? [{}];
    if (ways.length > 1) writing.sheets.settings.allow_choice_duplicates = 'yes';
    return ways.map((columns) => ({ name, label, ...columns }));
  });
  return { choices, filter: filtered?.filter };
}

/**
 * The names of choices in the file. If several can be chosen, an answer is a list of names separated by spaces, so
 * names can't contain spaces.
 */
function choiceNames({ type, choices }: JsonObject): { from: string; to: string }[] {
  const isAlone = ['radiogroup', 'dropdown'].includes(String(type));
  // Case-sensitive: choices may differ only in case.
  const free = new UniqueNames((name) => name);
  return arrayOrEmpty(choices).map((one) => {
    const from = String(isPlainObject(one) ? one.value : one);
    const trimmed = from.trim();
    const short = isAlone ? trimmed.replace(/\s+/g, ' ') : trimmed.replace(/[\s']+/g, '_');
    return { from, to: free.of(short || 'empty') };
  });
}

/** Choices with a different name in the file, for use in rules. If two choices are equal, the first one counts. */
export function xlsformChoiceRenames(json: JsonObject): ReadonlyMap<string, string> {
  const reversed = choiceNames(json).toReversed();
  const names = new Map(reversed.map(({ from, to }) => [from, to]));
  return new Map([...names].filter(([from, to]) => from !== to));
}

interface Filter {
  filter: string;
  /** The filter columns of each choice; several rows if several answers show it. */
  columns: Map<unknown, Record<string, string>[]>;
}

/** If every choice is shown depending on the same questions, that is a filter; null otherwise. */
function filterOf(
  writing: XlsformExportContext,
  { repeat }: ExportedElement,
  choices: unknown[],
): Filter | null {
  const columns: Filter['columns'] = new Map();
  let target: string | undefined;
  for (const one of choices) {
    const ways = isPlainObject(one) ? waysIn(String(one.visibleIf)) : null;
    const names = ways?.map((way) => way.map(([name]) => name).join()) ?? [];
    if (!ways || names.some((name) => (target ?? names[0]) !== name)) return null;
    target = names[0];
    columns.set(
      one,
      ways.map((way) => Object.fromEntries(way.map(([name, value]) => cellOf(writing, name, value)))),
    );
  }
  if (target === undefined) return null;
  const targets = target.split(',').map((name) => writing.targets.get(name.toLowerCase()));
  if (repeat !== null || targets.some((one) => !one || one.repeat !== null || one.kind === 'many'))
    return null;
  const rules = targets.map((target) => `by_${target?.name} = \${${target?.name}}`);
  return { columns, filter: rules.join(' and ') };
}

function cellOf({ targets }: XlsformExportContext, target: string, value: string): [string, string] {
  const { name = target, renames } = targets.get(target.toLowerCase()) ?? {};
  return [`by_${name}`, renames?.get(value) ?? value];
}

/** Parses `{state} = 'tx' and {county} = 'king'`, or several of these joined with "or"; null for anything else. */
function waysIn(rule: string): [string, string][][] | null {
  const EQUAL = /^\{([^{},]+)\} = '([^'\\]*)'$/;
  const ways = rule.split(' or ').map((way) =>
    way
      .replace(/^\((.*)\)$/s, '$1')
      .split(' and ')
      .map((part): [string, string] | null => {
        const [, name, value] = EQUAL.exec(part) ?? [];
        return name === undefined || value === undefined ? null : [name, value];
      }),
  );
  return ways.every((way) => way.every((part) => part !== null)) ? (ways as [string, string][][]) : null;
}
