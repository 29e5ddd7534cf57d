/**
 * Imports an XLSForm, sheet by sheet, as a SurveyJS questionnaire. What has no counterpart is listed by sheet and row;
 * what makes the whole form unusable is a fault. Browser-safe.
 */
import { type SheetRowPlace, WHOLE_FILE, type XlsformNote } from '../notes.ts';
import { FIXED_REPEAT_PROPERTIES } from '../row-types.ts';
import type { ExpressionScope } from '../xpath/rule-scope.ts';
import { leaveOutUselessRows } from './import-calculated.ts';
import { type JsonObject, XlsformImportContext } from './import-context.ts';
import { findMatrixGroups, importedGridProperties, type MatrixGroup } from './import-grid.ts';
import { noteUnusedLists, readChoiceLists } from './import-lists.ts';
import { addVisibleIf, appearancesOf, questionFromRow } from './import-question.ts';
import { importedSettingsOf, noteIgnoredXlsformSettings, type XlsformSettings } from './import-settings.ts';
import { readSurveySheetRows, type XlsformSurveyRow } from './survey-rows.ts';
import { type Sheet, type SheetRow, type SheetTable, sheetTableOf } from './table.ts';

export interface ImportedForm {
  name: string;
  /** Null if there are faults. */
  definition: JsonObject | null;
  /** Null if the form doesn't say. */
  networkSizeQuestion: string | null;
  takesPartIf: string | null;
  identityQuestions: string[] | null;
  notes: XlsformNote[];
  faults: XlsformNote[];
}

export const failedImport = (faults: XlsformNote[]): ImportedForm => ({
  name: '',
  definition: null,
  networkSizeQuestion: null,
  takesPartIf: null,
  identityQuestions: null,
  notes: [],
  faults,
});

/**
 * Sheets that are read or ignored without a note; our own exports add `left_out`, which lists what was not exported.
 */
const SHEETS = ['survey', 'choices', 'settings', 'left_out'];

const byPlace = (a: XlsformNote, b: XlsformNote) =>
  SHEETS.indexOf(a.sheet) - SHEETS.indexOf(b.sheet) || a.row - b.row;

export interface ImportedWithPlaces extends ImportedForm {
  /** The cell of each piece of the definition. */
  places: ReadonlyMap<object, SheetRowPlace>;
}

export function importForm(sheets: Sheet[]): ImportedWithPlaces {
  const reading = new XlsformImportContext();
  const sheetsByName = new Map(sheets.map((sheet) => [sheet.name.trim().toLowerCase(), sheet]));
  for (const { name } of sheets)
    if (!SHEETS.includes(name.trim().toLowerCase()))
      reading.notes.add({ sheet: name, row: 0 }, 'SHEET_UNUSED', { name });
  const read = (name: string) => {
    const sheet = sheetsByName.get(name);
    return sheet ? sheetTableOf({ ...sheet, name }, reading.notes) : null;
  };
  const [survey, choices, settings] = [read('survey'), read('choices'), read('settings')];
  const set = importedSettingsOf(settings, reading);
  if (survey) readLanguages(reading, [survey, choices], set.language);
  if (survey && has(reading, survey, 'type')) {
    const listed = choices !== null && choices.rows.length > 0;
    if (listed && has(reading, choices, 'list_name', 'choices') && has(reading, choices, 'name', 'choices'))
      readChoiceLists(reading, choices);
    readSurvey(reading, survey, set);
  } else if (!survey) reading.faults.add(WHOLE_FILE, 'NO_SHEET', { name: 'survey' });
  noteUnusedLists(reading);
  for (const row of settings?.rows.slice(0, 1) ?? []) noteIgnoredXlsformSettings(reading, row);
  const faults = reading.faults.all;
  return {
    name: set.name,
    definition: faults.length > 0 ? null : set.definition,
    networkSizeQuestion: set.networkSize ?? sizeQuestionIn(reading),
    takesPartIf: set.takesPartIf,
    identityQuestions: set.identityQuestions,
    notes: reading.notes.all.toSorted(byPlace),
    faults: faults.toSorted(byPlace),
    places: reading.places,
  };
}

function readLanguages(
  reading: XlsformImportContext,
  tables: (SheetTable | null)[],
  own: string | null,
): void {
  reading.languages = [...new Set(tables.flatMap((table) => table?.languages ?? []))];
  const tags = reading.languages.filter((one) => one !== 'default');
  const isSaid = reading.languages.some((one) => one === 'default' || one === 'en');
  if (!isSaid) reading.fallback = own && tags.includes(own) ? own : (tags[0] ?? null);
}

function has(
  reading: XlsformImportContext,
  { columns, headRow }: SheetTable,
  column: string,
  sheet = 'survey',
): boolean {
  if (columns.some(({ key }) => key === column)) return true;
  reading.faults.add({ sheet, row: headRow }, 'NO_COLUMN', { column });
  return false;
}

function sizeQuestionIn(reading: XlsformImportContext): string | null {
  const numbers = [...reading.names].filter(([, { kind, repeat }]) => kind === 'number' && repeat === null);
  return numbers.find(([name]) => /^(network_?size|net_?size|degree)$/i.test(name))?.[0] ?? null;
}

/** An open group or repeat. */
interface Frame {
  row: SheetRow | null;
  what: 'group' | 'repeat';
  /** The repeat that contains its rows. */
  repeat: string | null;
  element: JsonObject;
  elements: JsonObject[];
}

function readSurvey(reading: XlsformImportContext, table: SheetTable, set: XlsformSettings): void {
  const lines = readSurveySheetRows(reading, table);
  // Reports all faults at once. If the choices sheet is unreadable, its lists can't be checked.
  if (reading.faults.all.every(({ code }) => code !== 'NO_COLUMN')) refuseLists(reading, lines);
  if (reading.faults.all.length > 0) return;
  const pages: JsonObject[] = [];
  const calculated: JsonObject[] = [];
  const open: Frame[] = [{ row: null, what: 'group', repeat: null, element: {}, elements: pages }];
  const grids = findMatrixGroups(reading, lines);
  leaveOutUselessRows(reading, lines);
  for (let at = 0; at < lines.length; at += 1) {
    const [line, frame] = [lines[at], open.at(-1)];
    if (!line || !frame) break;
    const grid = grids.get(line);
    if (grid) {
      place(reading, gridAt(reading, line, grid), frame, open.length === 1, line);
      at += grid.size - 1;
    } else if (line.type.is === 'begin')
      open.push(beginElement(reading, line, line.type.what, open.length === 1));
    else if (line.type.is === 'end') {
      open.pop();
      closeGroup(reading, frame, open.at(-1), open.length === 1);
    } else {
      const element = elementOf(reading, line, calculated);
      if (element) place(reading, element, frame, open.length === 1, line);
    }
    // If a whole row is left out, its cells aren't reported one by one.
    if (!['metadata', 'left out', 'file list', 'end'].includes(line.type.is)) reading.tellRest(line.row);
  }
  if (calculated.length > 0) set.definition.calculatedValues = calculated;
  set.definition.pages = pages;
  if (set.row) set.takesPartIf = reading.rule(set.row, 'takes_part_if', scopeOf(reading, null, null));
}

function refuseLists(reading: XlsformImportContext, lines: XlsformSurveyRow[]): void {
  for (const { row, type } of lines) {
    if (type.is !== 'list') continue;
    if (type.list === '') reading.refuse(row, 'LIST_UNNAMED');
    else if (!reading.lists.has(type.list)) reading.refuse(row, 'LIST_MISSING', { list: type.list });
  }
}

function gridAt(
  reading: XlsformImportContext,
  { row, name, repeat }: XlsformSurveyRow,
  grid: MatrixGroup,
): JsonObject {
  row.take('appearance');
  const scope = scopeOf(reading, null, repeat);
  const element = importedGridProperties(reading, withHeading(reading, row, { name }, scope), grid, scope);
  reading.tellRest(row);
  return element;
}

const scopeOf = (
  reading: XlsformImportContext,
  self: string | null,
  repeat: string | null,
): ExpressionScope => ({
  names: reading.names,
  self,
  repeat,
});

function withHeading(
  reading: XlsformImportContext,
  row: SheetRow,
  element: JsonObject,
  scope: ExpressionScope,
): JsonObject {
  reading.places.set(element, row.place);
  const title = reading.words(row, 'label', scope);
  if (title !== undefined) element.title = title;
  const description = reading.explanation(row, scope);
  if (description !== undefined) element.description = description;
  addVisibleIf(reading, row, element, scope);
  return element;
}

function beginElement(
  reading: XlsformImportContext,
  { row, name, repeat }: XlsformSurveyRow,
  what: 'group' | 'repeat',
  isTop: boolean,
): Frame {
  const type = what === 'repeat' ? 'paneldynamic' : isTop ? null : 'panel';
  const element = withHeading(reading, row, { ...(type && { type }), name }, scopeOf(reading, null, repeat));
  if (what === 'repeat') Object.assign(element, repeatCountProperties(reading, row, name, repeat));
  // A page is a field list anyway.
  for (const value of appearancesOf(row).filter((one) => !['field-list', 'minimal'].includes(one)))
    reading.tell(row, 'APPEARANCE', { value });
  return { row, what, repeat: what === 'repeat' ? name : repeat, element, elements: [] };
}

/** A fixed number of repetitions, if the form has one: interviewers can't add or remove entries then. */
function repeatCountProperties(
  reading: XlsformImportContext,
  row: SheetRow,
  name: string,
  repeat: string | null,
): JsonObject {
  const count = row.take('repeat_count');
  if (count === '') return {};
  if (/^\d{1,3}$/.test(count)) return { panelCount: Number(count), ...FIXED_REPEAT_PROPERTIES };
  const expression = reading.expression(row, 'repeat_count', count, scopeOf(reading, null, repeat), 'value');
  if (expression === null) return {};
  // The form library can take the count from one question's answer only, not from a calculated value.
  const [, questionName = ''] = /^\{([^{}.]+)\}$/.exec(expression) ?? [];
  if (reading.names.get(questionName)?.kind === 'number')
    return { bindings: { panelCount: questionName }, ...FIXED_REPEAT_PROPERTIES };
  reading.tell(row, 'RULE_COUNT', { name, count });
  return {};
}

function closeGroup(
  reading: XlsformImportContext,
  { row, what, element, elements }: Frame,
  outer: Frame | undefined,
  isTop: boolean,
): void {
  if (!outer || !row) return;
  if (elements.length === 0) {
    reading.tell(row, 'GROUP_EMPTY', { name: String(element.name) });
    return;
  }
  element[what === 'repeat' ? 'templateElements' : 'elements'] = elements;
  if (what === 'repeat') place(reading, element, outer, isTop, { row });
  else outer.elements.push(element);
}

/** Adds an element to its frame. Elements outside of groups share a page with their neighbors. */
function place(
  reading: XlsformImportContext,
  element: JsonObject,
  frame: Frame,
  isTop: boolean,
  { row }: { row: SheetRow },
): void {
  if (!isTop) {
    frame.elements.push(element);
    return;
  }
  const last = frame.elements.at(-1);
  const isOpen = last !== undefined && reading.loose.has(last);
  const page: JsonObject = isOpen ? last : { name: unusedPageName(reading), elements: [] };
  if (!isOpen) {
    reading.loose.add(page);
    reading.places.set(page, row.place);
    frame.elements.push(page);
    reading.tell(row, 'NOT_IN_GROUPS', { name: String(page.name) });
  }
  (page.elements as JsonObject[]).push(element);
}

function unusedPageName(reading: XlsformImportContext): string {
  const name = reading.freeNames.numbered('page');
  reading.names.set(name, { kind: 'group', repeat: null });
  return name;
}

function elementOf(
  reading: XlsformImportContext,
  { row, type, name, repeat }: XlsformSurveyRow,
  calculated: JsonObject[],
): JsonObject | null {
  const scope = scopeOf(reading, name, repeat);
  switch (type.is) {
    case 'metadata':
      reading.tell(row, 'METADATA', { type: type.type });
      return null;
    case 'left out':
    case 'file list':
      if (type.is === 'file list') reading.tell(row, 'EXTERNAL_LIST', { name });
      else reading.tell(row, 'TYPE_LEFT_OUT', { type: type.type, name });
      return null;
    case 'list':
      return questionFromRow(reading, row, type, scope);
    case 'plain':
      if (type.type !== 'calculate') return questionFromRow(reading, row, type, scope);
      calculate(reading, row, name, scope, calculated);
      return null;
    default:
      return null;
  }
}

function calculate(
  reading: XlsformImportContext,
  row: SheetRow,
  name: string,
  scope: ExpressionScope,
  calculated: JsonObject[],
): void {
  if (row.take('calculation') === '') reading.tell(row, 'NO_FORMULA', { name });
  const expression = reading.rule(row, 'calculation', scope, 'value');
  // Not shown, so these have no effect.
  for (const column of ['label', 'hint']) row.takeWords(column);
  for (const column of ['appearance', 'required', 'read_only']) row.take(column);
  if (expression === null) return;
  // Our own exports mark values that are only used by others.
  const isStored = row.take('stored').toLowerCase() !== 'no';
  const value = { name, expression, ...(isStored && { includeIntoResult: true }) };
  reading.places.set(value, row.place);
  calculated.push(value);
  if (isStored) reading.tell(row, 'CALCULATED', { name });
}
