/** A sheet as rows with named cells; cells that were not read can be reported afterwards. Browser-safe. */

import type { TextOrTranslations } from '../languages.ts';
import { tagOfLanguage } from '../languages.ts';
import type { Notes } from '../notes.ts';
import { closestColumn } from './misspelled.ts';
import { dateCellText } from './moments.ts';

export type SheetCell = string | number | boolean | Date | null;

export interface Sheet {
  name: string;
  /** All rows, including the first. */
  rows: SheetCell[][];
}

/** Alternative names of columns. */
const ALIASES: Record<string, string> = {
  relevance: 'relevant',
  'bind::relevant': 'relevant',
  'bind::required': 'required',
  'bind::constraint': 'constraint',
  'bind::calculate': 'calculation',
  'bind::readonly': 'read_only',
  'bind::jr:constraintmsg': 'constraint_message',
  'bind::jr:requiredmsg': 'required_message',
  'control::appearance': 'appearance',
  'body::appearance': 'appearance',
  calculate: 'calculation',
  caption: 'label',
  readonly: 'read_only',
  constraint_msg: 'constraint_message',
  required_msg: 'required_message',
  list: 'list_name',
  value: 'name',
  count: 'repeat_count',
  'jr:count': 'repeat_count',
  'control::jr:count': 'repeat_count',
};
const TRANSLATED_COLUMNS = ['label', 'hint', 'guidance_hint', 'constraint_message', 'required_message'];
const MEDIA = ['image', 'audio', 'video', 'big-image', 'big_image', 'media', 'autoplay'];
const CELL_COLUMNS =
  'type name relevant required constraint calculation read_only default appearance choice_filter parameters repeat_count trigger list_name save_to'.split(
    ' ',
  );

/** The columns that XLSForm has in a sheet: texts, which may be translated, and other cells. */
const SURVEY_COLUMNS = { texts: TRANSLATED_COLUMNS, cells: CELL_COLUMNS };
/** All other columns of the choices sheet are for filters. */
const CHOICES_COLUMNS = { texts: ['label'], cells: ['list_name', 'name'] };
const knownColumnsOf = (sheet: string) => (sheet === 'choices' ? CHOICES_COLUMNS : SURVEY_COLUMNS);
/** Aliases that a form may also use for columns of its own. */
const AMBIGUOUS_HEADS = ['list', 'value', 'count'];

export const isMediaColumn = (column: string) => MEDIA.includes(column);
export function isKnownColumn(column: string, sheet: string): boolean {
  const { texts, cells } = knownColumnsOf(sheet);
  return texts.includes(column) || cells.includes(column) || isMediaColumn(column);
}

/** Known columns to compare with when a column may be misspelled. */
const COLUMNS_BY_SHEET: Record<string, readonly string[]> = {
  // Without type and name nothing is read anyway, and list_name belongs to another sheet.
  survey: [...TRANSLATED_COLUMNS, ...CELL_COLUMNS, 'calculate', 'relevance', 'readonly'].filter(
    (one) => !['type', 'name', 'list_name', 'save_to', 'trigger'].includes(one),
  ),
  // All other columns there are the form's own, for filters.
  choices: ['label'],
};

interface Column {
  /** As written. */
  head: string;
  key: string;
  /** The language tag; `default` if it has none. */
  language: string | null;
}

export class SheetRow {
  readonly place: { sheet: string; row: number };
  /** The row with the column names. */
  readonly headPlace: SheetRow['place'];
  readonly #cells: Map<string, string>;
  readonly #words: Map<string, Map<string, string>>;
  readonly #heads: Map<string, string>;
  readonly #open: Set<string>;

  constructor(
    place: SheetRow['place'],
    cells: Map<string, string>,
    words: Map<string, Map<string, string>>,
    heads: Map<string, string>,
    headRow: number,
  ) {
    this.place = place;
    this.headPlace = { sheet: place.sheet, row: headRow };
    this.#cells = cells;
    this.#words = words;
    this.#heads = heads;
    this.#open = new Set([...cells.keys(), ...words.keys()]);
  }

  get isEmpty(): boolean {
    return this.#cells.size === 0 && this.#words.size === 0;
  }

  /** The trimmed cell; empty if missing. */
  take(key: string): string {
    this.#open.delete(key);
    return this.#cells.get(key) ?? '';
  }

  takeWords(key: string): Map<string, string> {
    this.#open.delete(key);
    return this.#words.get(key) ?? new Map<string, string>();
  }

  /** Whether these are the only known columns with a value in this row. */
  says(keys: readonly string[]): boolean {
    const columns = [...this.#cells.keys(), ...this.#words.keys()];
    return columns.every((key) => keys.includes(key) || !isKnownColumn(key, this.place.sheet));
  }

  /** Key and header of each column that has a value and wasn't read. */
  get left(): { key: string; head: string }[] {
    return [...this.#open].map((key) => ({ key, head: this.#heads.get(key) ?? key }));
  }

  /** The column that was probably meant. */
  meantBy(key: string, head: string, candidates = COLUMNS_BY_SHEET[this.place.sheet] ?? []): string | null {
    return key === '' ? null : closestColumn(head, candidates);
  }

  /** Columns that XLSForm doesn't have. */
  get extra(): Map<string, string> {
    return new Map([...this.#cells].filter(([key]) => !isKnownColumn(key, this.place.sheet)));
  }
}

export interface SheetTable {
  columns: Column[];
  rows: SheetRow[];
  /** Row number of the headers. */
  headRow: number;
  languages: string[];
}

export function sheetTableOf(sheet: Sheet, notes: Notes): SheetTable {
  const first = sheet.rows.findIndex((cells) => cells.some((cell) => cellTextOf(cell) !== ''));
  const headRow = Math.max(first, 0) + 1;
  const place = { sheet: sheet.name, row: headRow };
  const columns = columnsOf((sheet.rows[first] ?? []).map(cellTextOf), place, notes);
  const { texts } = knownColumnsOf(sheet.name);
  const heads = new Map(columns.filter(({ key }) => key).map(({ key, head }) => [key, head]));
  const rows = sheet.rows.slice(headRow).map((cells, index) => {
    const [plain, words] = [new Map<string, string>(), new Map<string, Map<string, string>>()];
    for (const [at, { key, language }] of columns.entries()) {
      const text = cellTextOf(cells[at] ?? null);
      if (text === '' || key === '') continue;
      if (!texts.includes(key)) plain.set(key, text);
      else if (language !== null)
        words.set(key, (words.get(key) ?? new Map<string, string>()).set(language, text));
    }
    return new SheetRow({ sheet: sheet.name, row: headRow + 1 + index }, plain, words, heads, headRow);
  });
  const languages = [...new Set(columns.flatMap(({ language }) => (language ? [language] : [])))];
  return { columns, rows: rows.filter((row) => !row.isEmpty), headRow, languages };
}

function columnsOf(heads: string[], place: { sheet: string; row: number }, notes: Notes): Column[] {
  const usedHeads = new Set<string>();
  const { texts } = knownColumnsOf(place.sheet);
  const present = new Set(heads.map((head) => headParts(head).base));
  const columns = heads.map((head): Column => {
    const { key, language } = headOf(head, place.sheet, present);
    return { head, key, language: texts.includes(key) ? language : null };
  });
  const translated = columns.filter(({ key }) => texts.includes(key));
  const unknown = [...new Set(translated.map(({ language }) => language ?? ''))].filter(
    (language) => language !== '' && tagOfLanguage(language) === null,
  );
  // If a form's only language isn't recognized, its texts become the default.
  const onlyUnknown = translated.every(({ language }) => language === unknown[0]) ? unknown[0] : undefined;
  const toldLanguages = new Set<string>();
  return columns.map((column) => {
    if (!texts.includes(column.key)) return column;
    const languageText = column.language ?? '';
    const tag = languageText === '' || languageText === onlyUnknown ? 'default' : tagOfLanguage(languageText);
    if (
      languageText !== '' &&
      (tag === null || languageText === onlyUnknown) &&
      !toldLanguages.has(languageText)
    ) {
      toldLanguages.add(languageText);
      notes.add(place, tag === null ? 'LANGUAGE_UNKNOWN' : 'LANGUAGE_DEFAULT', { column: column.head });
    }
    const id = `${column.key} ${tag}`;
    if (tag !== null && usedHeads.has(id)) {
      notes.add(place, 'LANGUAGE_TWICE', { column: column.head });
      return { ...column, key: '', language: null };
    }
    usedHeads.add(id);
    return { ...column, language: tag };
  });
}

/** `label::English (en)`, `Constraint message : fr`, `bind::required`. */
function headParts(head: string): { original: string; base: string; rest: string[] } {
  const original = head.trim().replace(/\s*::?\s*/g, '::');
  const [first = '', ...rest] = original.split('::');
  return { original, base: first.toLowerCase().replace(/\s+/g, '_'), rest };
}

/** `present`: the columns of the sheet by their own names. */
function headOf(
  head: string,
  sheet: string,
  present: ReadonlySet<string>,
): { key: string; language: string | null } {
  const { original, base, rest } = headParts(head);
  const whole = [base, ...rest.map((part) => part.toLowerCase())].join('::');
  const aliasOf = (name: string) => {
    const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
    const isOwn = alias !== undefined && AMBIGUOUS_HEADS.includes(name) && present.has(alias);
    return alias !== undefined && isKnownColumn(alias, sheet) && !isOwn ? alias : undefined;
  };
  // The colon in jr:count is part of the name.
  const direct = aliasOf(whole) ?? aliasOf(whole.replaceAll('jr::', 'jr:'));
  if (direct) return { key: direct, language: null };
  const key = aliasOf(base) ?? base;
  if (rest.length === 0) return { key, language: null };
  if (knownColumnsOf(sheet).texts.includes(key)) return { key, language: rest.join(':') };
  return { key: isMediaColumn(key) ? key : original, language: null };
}

/** Whether a cell means yes, or no. */
export const isYes = (text: string) => ['yes', 'true', 'true()', '1', '1.0'].includes(text.toLowerCase());
export const isNo = (text: string) => ['', 'no', 'false', 'false()', '0', '0.0'].includes(text.toLowerCase());

export function cellTextOf(cell: SheetCell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return dateCellText(cell);
  return String(cell).trim();
}

/** A text as in SurveyJS: a plain string if it has no languages. */
export function textInLanguages(words: ReadonlyMap<string, string>): TextOrTranslations | undefined {
  const [[language, text] = [], ...others] = words;
  if (text === undefined) return undefined;
  if (others.length === 0 && language === 'default') return text;
  return Object.fromEntries(words);
}
