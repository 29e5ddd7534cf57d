/**
 * A form of XLSForm, sheet by sheet, as a questionnaire of SurveyJS. What has no counterpart is named by sheet and row;
 * what makes nothing of the whole is a fault. Browser-safe.
 */
import { addShown, kindOf, questionOf } from './import-question.ts';
import { LOOKS, type RowType, rowTypeOf } from './kinds.ts';
import { tagOfLanguage } from './languages.ts';
import { FILE, type Note, type Place } from './notes.ts';
import { type Json, Reading } from './reading.ts';
import { type Row, type Sheet, type Table, tableOf } from './table.ts';
import type { Around } from './to-survey.ts';

export interface Imported {
  name: string;
  /** Null where there are faults. */
  definition: Json | null;
  /** Null where the form does not tell. */
  networkSizeQuestion: string | null;
  takesPartIf: string | null;
  identityQuestions: string[] | null;
  notes: Note[];
  faults: Note[];
}

export const nothingFrom = (faults: Note[]): Imported => ({
  name: '',
  definition: null,
  networkSizeQuestion: null,
  takesPartIf: null,
  identityQuestions: null,
  notes: [],
  faults,
});

const MOST_DEEP = 12;
/** What the file says beside the form; `left_out` is a sheet of our own files, which tells what they lack. */
const SHEETS = ['survey', 'choices', 'settings', 'left_out'];

export interface Read extends Imported {
  /** Where each piece of the definition stood. */
  places: ReadonlyMap<object, Place>;
}

export function importForm(sheets: Sheet[]): Read {
  const reading = new Reading();
  const named = new Map(sheets.map((sheet) => [sheet.name.trim().toLowerCase(), sheet]));
  for (const { name } of sheets)
    if (!SHEETS.includes(name.trim().toLowerCase()))
      reading.notes.add({ sheet: name, row: 0 }, 'SHEET_UNUSED', { name });
  const read = (name: string) => {
    const sheet = named.get(name);
    return sheet ? tableOf({ ...sheet, name }, reading.notes) : null;
  };
  const [survey, choices, settings] = [read('survey'), read('choices'), read('settings')];
  const set = settingsOf(settings, reading);
  if (survey) readLanguages(reading, [survey, choices], set.language);
  if (survey && has(reading, survey, 'type')) {
    if (choices) readLists(reading, choices);
    readSurvey(reading, survey, set);
  } else if (!survey) reading.faults.add(FILE, 'NO_SHEET', { name: 'survey' });
  tellLists(reading);
  for (const row of settings?.rows.slice(0, 1) ?? []) tellSettings(reading, row);
  const faults = reading.faults.all;
  return {
    name: set.name,
    definition: faults.length > 0 ? null : set.definition,
    networkSizeQuestion: set.networkSize ?? sizeQuestionIn(reading),
    takesPartIf: set.takesPartIf,
    identityQuestions: set.identityQuestions,
    notes: reading.notes.all.toSorted(
      (a, b) => SHEETS.indexOf(a.sheet) - SHEETS.indexOf(b.sheet) || a.row - b.row,
    ),
    faults,
    places: reading.places,
  };
}

interface Settings {
  name: string;
  language: string | null;
  networkSize: string | null;
  takesPartIf: string | null;
  identityQuestions: string[] | null;
  row: Row | null;
  definition: Json;
}

function settingsOf(table: Table | null, reading: Reading): Settings {
  const row = table?.rows[0] ?? null;
  const take = (key: string) => row?.take(key) ?? '';
  const title = take('form_title') || take('title');
  const called = take('questionnaire_name');
  const id = take('form_id') || take('id_string');
  const name = (called || title || id || 'XLSForm').slice(0, 100);
  const written = take('default_language');
  const language = written === '' ? null : tagOfLanguage(written);
  if (row && written !== '' && language === null && written.toLowerCase() !== 'default')
    reading.tell(row, 'SETTING_LEFT_OUT', { name: 'default_language' });
  const definition: Json = { ...(title && { title }), ...(language && { locale: language }), ...LOOKS };
  const clues = take('identity_questions').split(/\s+/).filter(Boolean);
  return {
    name,
    language,
    networkSize: take('network_size_question') || null,
    takesPartIf: null,
    identityQuestions: clues.length > 0 ? clues : null,
    row,
    definition,
  };
}

function tellSettings(reading: Reading, row: Row): void {
  const isPages = row.take('style').toLowerCase() === 'pages';
  row.take('allow_choice_duplicates');
  for (const { key, head } of row.left)
    reading.tell(row, key === 'version' ? 'SETTING_OWN' : 'SETTING_LEFT_OUT', { name: head });
  if (!isPages && row.take('style') !== '') reading.tell(row, 'SETTING_LEFT_OUT', { name: 'style' });
}

function readLanguages(reading: Reading, tables: (Table | null)[], own: string | null): void {
  reading.languages = [...new Set(tables.flatMap((table) => table?.languages ?? []))];
  const tags = reading.languages.filter((one) => one !== 'default');
  const isSaid = reading.languages.some((one) => one === 'default' || one === 'en');
  if (!isSaid) reading.fallback = own && tags.includes(own) ? own : (tags[0] ?? null);
}

function has(reading: Reading, { columns, headRow }: Table, column: string, sheet = 'survey'): boolean {
  if (columns.some(({ key }) => key === column)) return true;
  reading.faults.add({ sheet, row: headRow }, 'NO_COLUMN', { column });
  return false;
}

function readLists(reading: Reading, table: Table): void {
  if (table.rows.length === 0) return;
  if (!has(reading, table, 'list_name', 'choices') || !has(reading, table, 'name', 'choices')) return;
  for (const row of table.rows) {
    const list = row.take('list_name');
    const name = row.take('name');
    const words = row.takeWords('label');
    if (list === '') continue;
    if (name === '') reading.refuse(row, 'CHOICE_UNNAMED');
    const known = reading.lists.get(list) ?? [];
    reading.lists.set(list, known);
    if (known.some((one) => one.name === name)) reading.tell(row, 'CHOICES_SAME', { list, name });
    else known.push({ row, name, words });
  }
}

function tellLists(reading: Reading): void {
  for (const [list, choices] of reading.lists) {
    const [first] = choices;
    if (first && !reading.usedLists.has(list)) reading.tell(first.row, 'LIST_UNUSED', { list });
    for (const { row } of choices) {
      for (const key of row.extra.keys()) if (reading.filterColumns.has(key)) row.take(key);
      reading.tellRest(row);
    }
  }
}

function sizeQuestionIn(reading: Reading): string | null {
  const numbers = [...reading.names].filter(([, { kind, repeat }]) => kind === 'number' && repeat === null);
  return numbers.find(([name]) => /^network_?size$/i.test(name))?.[0] ?? null;
}

/** A group or repeat that has begun. */
interface Frame {
  row: Row | null;
  what: 'group' | 'repeat';
  /** Of the repeat that its rows stand in. */
  repeat: string | null;
  element: Json;
  elements: Json[];
}

interface Line {
  row: Row;
  type: RowType;
  name: string;
  repeat: string | null;
}

/** The rows with what they are; the names are known when the rules are read. */
function linesOf(reading: Reading, table: Table): Line[] {
  const lines: Line[] = [];
  const open: { name: string; row: Row; what: string; repeat: string | null }[] = [];
  const taken = new Set<string>();
  for (const row of table.rows) {
    const written = row.take('type');
    if (written === '') continue;
    const type = rowTypeOf(written);
    const repeat = open.findLast(({ what }) => what === 'repeat')?.name ?? null;
    if (type.is === 'end') {
      const last = open.pop();
      if (last?.what !== type.what) reading.refuse(row, 'GROUP_END');
      lines.push({ row, type, name: '', repeat });
      continue;
    }
    const name = nameOf(reading, row, type, taken);
    lines.push({ row, type, name, repeat });
    if (type.is === 'begin') {
      if (open.length === MOST_DEEP) reading.refuse(row, 'GROUPS_DEEP', { most: MOST_DEEP });
      open.push({ name, row, what: type.what, repeat });
      reading.names.set(name, { kind: type.what, repeat });
    } else if (type.is === 'list' || type.is === 'plain')
      reading.names.set(name, { kind: kindOf(type), repeat });
    else if (name !== '') reading.names.set(name, { kind: 'text', repeat, leftOut: true });
  }
  for (const { row, name } of open) reading.refuse(row, 'GROUP_OPEN', { name });
  return lines;
}

function nameOf(reading: Reading, row: Row, type: RowType, taken: Set<string>): string {
  const written = row.take('name');
  if (type.is === 'unknown') reading.refuse(row, 'TYPE_UNKNOWN', { type: type.type });
  const isAsked = type.is === 'list' || type.is === 'plain';
  if (written === '' && isAsked && !(type.is === 'plain' && type.type === 'note')) {
    reading.refuse(row, 'NAME_MISSING');
    return '';
  }
  // No answer stands under the name of a group or of a text that informs.
  const isFree = type.is === 'begin' && type.what === 'group';
  let name = written || (isFree || isAsked || type.is === 'begin' ? `row${row.place.row}` : '');
  if (name === '') return '';
  if (taken.has(name.toLowerCase())) {
    if (!isFree) reading.refuse(row, 'NAME_TAKEN', { name });
    else while (taken.has(name.toLowerCase())) name += '_';
  }
  taken.add(name.toLowerCase());
  return name;
}

function readSurvey(reading: Reading, table: Table, set: Settings): void {
  const lines = linesOf(reading, table);
  if (reading.faults.all.length > 0) return;
  const pages: Json[] = [];
  const calculated: Json[] = [];
  const open: Frame[] = [{ row: null, what: 'group', repeat: null, element: {}, elements: pages }];
  for (const line of lines) {
    const frame = open.at(-1);
    if (!frame) break;
    if (line.type.is === 'begin') open.push(begun(reading, line, line.type.what, open.length === 1));
    else if (line.type.is === 'end') {
      open.pop();
      close(reading, frame, open.at(-1), open.length === 1);
    } else {
      const element = elementOf(reading, line, calculated);
      if (element) place(reading, element, frame, open.length === 1, line);
    }
    if (line.type.is !== 'metadata') reading.tellRest(line.row);
  }
  if (calculated.length > 0) set.definition.calculatedValues = calculated;
  set.definition.pages = pages;
  if (set.row) set.takesPartIf = reading.rule(set.row, 'takes_part_if', aroundOf(reading, null, null));
}

const aroundOf = (reading: Reading, self: string | null, repeat: string | null): Around => ({
  names: reading.names,
  self,
  repeat,
});

function begun(
  reading: Reading,
  { row, name, repeat }: Line,
  what: 'group' | 'repeat',
  isTop: boolean,
): Frame {
  const around = aroundOf(reading, null, repeat);
  const type = what === 'repeat' ? 'paneldynamic' : isTop ? null : 'panel';
  const element: Json = { ...(type && { type }), name };
  reading.places.set(element, row.place);
  const title = reading.words(row, 'label', around);
  if (title !== undefined) element.title = title;
  const description = reading.words(row, 'hint', around);
  if (description !== undefined) element.description = description;
  addShown(reading, row, element, around);
  const count = what === 'repeat' ? row.take('repeat_count') : '';
  if (/^\d{1,3}$/.test(count)) element.panelCount = Number(count);
  else if (count !== '') reading.tell(row, 'CELL_LEFT_OUT', { column: 'repeat_count' });
  // A page is a list of fields already.
  const looks = row
    .take('appearance')
    .split(/\s+/)
    .filter((one) => one !== '' && one !== 'field-list');
  for (const value of looks) reading.tell(row, 'APPEARANCE', { value });
  return { row, what, repeat: what === 'repeat' ? name : repeat, element, elements: [] };
}

function close(
  reading: Reading,
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

/** What stands outside of groups shares a page with what stands beside it. */
function place(reading: Reading, element: Json, frame: Frame, isTop: boolean, { row }: { row: Row }): void {
  if (!isTop) {
    frame.elements.push(element);
    return;
  }
  const last = frame.elements.at(-1);
  const isOpen = last !== undefined && reading.loose.has(last);
  const page: Json = isOpen ? last : { name: freeName(reading), elements: [] };
  if (!isOpen) {
    reading.loose.add(page);
    reading.places.set(page, row.place);
    frame.elements.push(page);
    reading.tell(row, 'NOT_IN_GROUPS', { name: String(page.name) });
  }
  (page.elements as Json[]).push(element);
}

function freeName(reading: Reading): string {
  const taken = new Set([...reading.names.keys()].map((name) => name.toLowerCase()));
  let at = 1;
  while (taken.has(`page${at}`)) at += 1;
  reading.names.set(`page${at}`, { kind: 'group', repeat: null });
  return `page${at}`;
}

function elementOf(reading: Reading, { row, type, name, repeat }: Line, calculated: Json[]): Json | null {
  const around = aroundOf(reading, name, repeat);
  switch (type.is) {
    case 'metadata':
      reading.tell(row, 'METADATA', { type: type.type });
      return null;
    case 'left out':
    case 'file list':
      row.take('label');
      if (type.is === 'file list') reading.tell(row, 'EXTERNAL_LIST', { name });
      else reading.tell(row, 'TYPE_LEFT_OUT', { type: type.type, name });
      return null;
    case 'list':
      if (type.list === '') reading.refuse(row, 'LIST_UNNAMED');
      else if (!reading.lists.has(type.list)) reading.refuse(row, 'LIST_MISSING', { list: type.list });
      return questionOf(reading, row, type, around);
    case 'plain':
      if (type.type !== 'calculate') return named(questionOf(reading, row, type, around), name, reading, row);
      calculate(reading, row, name, around, calculated);
      return null;
    default:
      return null;
  }
}

/** A text that informs may have no name of its own. */
function named(question: Json, name: string, reading: Reading, row: Row): Json {
  const whole = { ...question, name };
  reading.places.set(whole, row.place);
  return whole;
}

function calculate(reading: Reading, row: Row, name: string, around: Around, calculated: Json[]): void {
  if (row.take('calculation') === '') reading.tell(row, 'NO_FORMULA', { name });
  const expression = reading.rule(row, 'calculation', around, 'value');
  row.takeWords('label');
  if (expression === null) return;
  const value = { name, expression };
  reading.places.set(value, row.place);
  calculated.push(value);
  reading.tell(row, 'CALCULATED', { name });
}
