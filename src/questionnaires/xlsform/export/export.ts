/**
 * Exports a questionnaire as an XLSForm: rows of its three sheets, and a list of what has no counterpart, each with
 * its row. Browser-safe.
 */

import { isDeepEqual } from '../../../platform/lib/objects/deep-equal.ts';
import { isPlainObject } from '../../../platform/lib/objects/plain-object.ts';
import { languageLabelOfTag } from '../languages.ts';
import { Notes, type XlsformNote } from '../notes.ts';
import { FIXED_REPEAT_PROPERTIES, QUESTIONNAIRE_DEFAULTS } from '../row-types.ts';
import {
  ENGLISH_LEFT_OUT_TEXTS,
  type LeftOutSheetTexts,
  type WrittenSheet,
  XlsformSheetWriter,
} from '../sheets.ts';
import { UniqueNames } from '../unique-names.ts';
import type { ExpressionNameTarget } from '../xpath/to-xpath.ts';
import { xlsformChoiceRenames } from './export-choices.ts';
import {
  arrayOrEmpty,
  ExportedElement,
  type JsonObject,
  type XlsformExportContext,
} from './export-element.ts';
import { exportMatrixQuestion, reserveMatrixRowNames } from './export-grid.ts';
import { exportQuestion } from './export-question.ts';

export interface ExportedForm {
  sheets: WrittenSheet[];
  notes: XlsformNote[];
}

export interface FormToExport {
  name: string;
  version?: number;
  definition: JsonObject;
  networkSizeQuestion: string;
  takesPartIf?: string | null | undefined;
  identityQuestions?: string[] | null | undefined;
}

const SETTINGS = { sheet: 'settings', row: 2 };
/** Names must be valid in XML. */
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

export function exportForm(
  form: FormToExport,
  translate: LeftOutSheetTexts = ENGLISH_LEFT_OUT_TEXTS,
): ExportedForm {
  const { definition } = form;
  const writing = begin(definition);
  for (const value of arrayOrEmpty(definition.calculatedValues).filter(isPlainObject))
    calculated(writing, value);
  const pages =
    definition.pages === undefined ? [{ elements: definition.elements }] : arrayOrEmpty(definition.pages);
  for (const page of pages.filter(isPlainObject)) group(writing, page, null, pageType(page));
  settings(writing, form);
  const { all } = writing.notes;
  return { sheets: writing.sheets.written(localeOf(definition), all, translate), notes: all };
}

const localeOf = ({ locale }: JsonObject) => (typeof locale === 'string' && locale !== '' ? locale : null);

/** A page is shown as one screen of fields, but a repeat has screens of its own. */
const pageType = (page: JsonObject) =>
  JSON.stringify(page.elements ?? []).includes('"paneldynamic"') ? undefined : 'field-list';

const KINDS: Record<string, ExpressionNameTarget['kind']> = {
  checkbox: 'many',
  tagbox: 'many',
  ranking: 'many',
  radiogroup: 'one',
  dropdown: 'one',
  buttongroup: 'one',
  boolean: 'one',
  rating: 'number',
  slider: 'number',
  comment: 'text',
  expression: 'calculated',
  paneldynamic: 'repeat',
};

/** Collects all names first, because rules may refer to later questions. */
function begin(definition: JsonObject): XlsformExportContext {
  const targets = new Map<string, ExpressionNameTarget>();
  const names = new Map<object, string>();
  const free = new UniqueNames();
  const notes = new Notes();
  const nameOf = (json: JsonObject, fallback: string): string => {
    const formName = typeof json.name === 'string' ? json.name : fallback;
    const name = free.of(NAME.test(formName) ? formName : `_${formName}`.replace(/[^\p{L}\p{N}_.-]/gu, '_'));
    names.set(json, name);
    if (name !== formName) notes.add({ sheet: 'survey', row: 0 }, 'NAME_CHANGED', { from: formName, name });
    return name;
  };
  const visit = (elements: unknown, repeat: string | null): void => {
    for (const json of arrayOrEmpty(elements).filter(isPlainObject)) {
      const name = nameOf(json, 'question');
      const kind = json.type === 'text' ? textKind(json) : KINDS[String(json.type)];
      const key = String(json.valueName ?? json.name).toLowerCase();
      if (kind) targets.set(key, { name, kind, repeat, renames: xlsformChoiceRenames(json) });
      if (json.type === 'matrix') reserveMatrixRowNames(targets, free, { json, key, name, repeat });
      visit(json.elements, repeat);
      if (json.type === 'paneldynamic') visit(json.templateElements, name);
    }
  };
  for (const json of arrayOrEmpty(definition.calculatedValues).filter(isPlainObject))
    targets.set(String(json.name).toLowerCase(), {
      name: nameOf(json, 'value'),
      kind: 'calculated',
      repeat: null,
    });
  for (const [index, page] of arrayOrEmpty(definition.pages).filter(isPlainObject).entries()) {
    nameOf(page, `page${index + 1}`);
    visit(page.elements, null);
  }
  visit(definition.elements, null);
  return { notes, sheets: new XlsformSheetWriter(), targets, names, lists: new Map() };
}

function textKind({ inputType }: JsonObject): ExpressionNameTarget['kind'] {
  if (inputType === 'number' || inputType === 'range') return 'number';
  return inputType === 'date' || inputType === 'month' ? 'date' : 'text';
}

function calculated(writing: XlsformExportContext, json: JsonObject): void {
  const element = new ExportedElement(writing, json, null);
  const calculation = element.takeRule('expression');
  const isStored = element.takeFlag('includeIntoResult') ? undefined : 'no';
  element.tellRest();
  if (calculation !== undefined)
    writing.sheets.survey.push({ type: 'calculate', name: element.name, calculation, stored: isStored });
}

/** A page, panel or repeat, with everything in it. */
function group(
  writing: XlsformExportContext,
  json: JsonObject,
  repeat: string | null,
  appearance?: string,
): void {
  const element = new ExportedElement(writing, json, repeat);
  const isRepeat = json.type === 'paneldynamic';
  const word = isRepeat ? 'repeat' : 'group';
  const count = isRepeat ? element.takeNumber('panelCount') : undefined;
  const { bindings } = json;
  const bound =
    isPlainObject(bindings) && isRepeat
      ? writing.targets.get(String(bindings.panelCount).toLowerCase())
      : null;
  if (bound) element.take('bindings');
  if (bound || count !== undefined)
    for (const [key, value] of Object.entries(FIXED_REPEAT_PROPERTIES))
      if (json[key] === value) element.take(key);
  // Equal limits are redundant if the count is fixed.
  for (const key of ['minPanelCount', 'maxPanelCount'])
    if (count !== undefined && json[key] === count) element.take(key);
  const inside = arrayOrEmpty(element.take(isRepeat ? 'templateElements' : 'elements')).filter(isPlainObject);
  const row = {
    type: `begin_${word}`,
    name: element.name || 'page1',
    label: element.takeWords('title'),
    hint: element.takeWords('description'),
    relevant: element.takeRule('visibleIf'),
    appearance,
    repeat_count: bound ? `\${${bound.name}}` : count === undefined ? undefined : String(count),
  };
  element.tellRest();
  const { survey } = writing.sheets;
  survey.push(row);
  const before = survey.length;
  for (const one of inside) put(writing, one, isRepeat ? element.name : repeat);
  // XLSForm has no empty groups.
  if (survey.length > before) survey.push({ type: `end_${word}`, name: '' });
  else {
    survey.pop();
    element.tell('GROUP_EMPTY');
  }
}

function put(writing: XlsformExportContext, json: JsonObject, repeat: string | null): void {
  if (json.type === 'panel' || json.type === 'paneldynamic') group(writing, json, repeat);
  else if (json.type === 'matrix') exportMatrixQuestion(writing, json, repeat);
  else {
    const row = exportQuestion(writing, new ExportedElement(writing, json, repeat));
    if (row) writing.sheets.survey.push(row);
  }
}

function settings(
  writing: XlsformExportContext,
  { name, version, definition, networkSizeQuestion, takesPartIf, identityQuestions }: FormToExport,
): void {
  const element = new ExportedElement(writing, { ...definition, name: '' }, null, SETTINGS);
  const { settings: set } = writing.sheets;
  for (const [key, value] of Object.entries(QUESTIONNAIRE_DEFAULTS))
    if (isDeepEqual(definition[key], value)) element.take(key);
  for (const key of ['pages', 'elements', 'calculatedValues', 'locale']) element.take(key);
  const title = titleOf(writing, definition.title);
  if (title !== undefined) set.form_title = title;
  if (typeof definition.title === 'string' || isPlainObject(definition.title)) element.take('title');
  set.form_id = name.replace(/[^\p{L}\p{N}_-]+/gu, '_').replace(/^(?![\p{L}_])/u, '_');
  if (version !== undefined) set.version = String(version);
  set.questionnaire_name = name;
  const locale = localeOf(definition);
  if (locale !== null) set.default_language = languageLabelOfTag(locale);
  const size = writing.targets.get(networkSizeQuestion.toLowerCase());
  if (size) set.network_size_question = size.name;
  const takesPart = takesPartIf ? element.rule('takesPartIf', takesPartIf) : undefined;
  if (takesPart) set.takes_part_if = takesPart;
  const clues = (identityQuestions ?? []).flatMap(
    (one) => writing.targets.get(one.toLowerCase())?.name ?? [],
  );
  if (clues.length > 0) set.identity_questions = clues.join(' ');
  for (const property of element.left) writing.notes.add(SETTINGS, 'SETTING_OUT', { property });
}

/** XLSForm has only one title. */
function titleOf(writing: XlsformExportContext, title: unknown): string | undefined {
  if (typeof title === 'string') return title;
  if (!isPlainObject(title)) return undefined;
  const texts = Object.values(title).filter((text) => typeof text === 'string');
  if (texts.length > 1) writing.notes.add(SETTINGS, 'TITLE_ONE');
  return typeof title.default === 'string'
    ? title.default
    : typeof title.en === 'string'
      ? title.en
      : texts[0];
}
