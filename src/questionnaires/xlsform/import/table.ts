/** A sheet as rows with named cells; cells that were not read can be reported afterwards. Browser-safe. */

import type { Words } from '../languages.ts';
import { tagOfLanguage } from '../languages.ts';
import type { Notes } from '../notes.ts';
import { closestColumn } from './misspelled.ts';
import { textOfMoment } from './moments.ts';

export type Cell = string | number | boolean | Date | null;

export interface Sheet {
  name: string;
  /** As they stand, the first one included. */
  rows: Cell[][];
}

/** What other names the columns go by. */
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

/** What the format knows of a sheet: texts, which may be in several languages, and other cells. */
const SURVEY_COLUMNS = { texts: TRANSLATED_COLUMNS, cells: CELL_COLUMNS };
/** All else there is for filters. */
const KNOWN_OF_CHOICES = { texts: ['label'], cells: ['list_name', 'name'] };
const knownIn = (sheet: string) => (sheet === 'choices' ? KNOWN_OF_CHOICES : SURVEY_COLUMNS);
/** Other names of columns that a form may as well give to columns of its own. */
const AMBIGUOUS_HEADS = ['list', 'value', 'count'];

export const isMedia = (column: string) => MEDIA.includes(column);
export function isKnownColumn(column: string, sheet: string): boolean {
  const { texts, cells } = knownIn(sheet);
  return texts.includes(column) || cells.includes(column) || isMedia(column);
}

/** What a column that the format does not know may have been meant to be. */
const COLUMNS_BY_SHEET: Record<string, readonly string[]> = {
  // Without types and names nothing is read, and another list is another sheet's.
  survey: [...TRANSLATED_COLUMNS, ...CELL_COLUMNS, 'calculate', 'relevance', 'readonly'].filter(
    (one) => !['type', 'name', 'list_name', 'save_to', 'trigger'].includes(one),
  ),
  // Everything else there is a column of the form's own, for filters.
  choices: ['label'],
};

interface Column {
  /** As it is written. */
  head: string;
  key: string;
  /** The tag of its language; `default` where it has none. */
  language: string | null;
}

export class SheetRow {
  readonly place: { sheet: string; row: number };
  /** Where its columns are named. */
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

  /** The cell, trimmed; empty where there is none. */
  take(key: string): string {
    this.#open.delete(key);
    return this.#cells.get(key) ?? '';
  }

  takeWords(key: string): Map<string, string> {
    this.#open.delete(key);
    return this.#words.get(key) ?? new Map<string, string>();
  }

  /** Whether nothing that the format knows stands in it but these. */
  says(keys: readonly string[]): boolean {
    const columns = [...this.#cells.keys(), ...this.#words.keys()];
    return columns.every((key) => keys.includes(key) || !isKnownColumn(key, this.place.sheet));
  }

  /** What stands in it and was not taken: key and head of each column. */
  get left(): { key: string; head: string }[] {
    return [...this.#open].map((key) => ({ key, head: this.#heads.get(key) ?? key }));
  }

  /** The column that this one was probably meant to be. */
  meantBy(key: string, head: string, candidates = COLUMNS_BY_SHEET[this.place.sheet] ?? []): string | null {
    return key === '' ? null : closestColumn(head, candidates);
  }

  /** Columns that the format does not know. */
  get extra(): Map<string, string> {
    return new Map([...this.#cells].filter(([key]) => !isKnownColumn(key, this.place.sheet)));
  }
}

export interface SheetTable {
  columns: Column[];
  rows: SheetRow[];
  /** The row of the headings. */
  headRow: number;
  languages: string[];
}

export function tableOf(sheet: Sheet, notes: Notes): SheetTable {
  const first = sheet.rows.findIndex((cells) => cells.some((cell) => textOf(cell) !== ''));
  const headRow = Math.max(first, 0) + 1;
  const place = { sheet: sheet.name, row: headRow };
  const columns = columnsOf((sheet.rows[first] ?? []).map(textOf), place, notes);
  const { texts } = knownIn(sheet.name);
  const heads = new Map(columns.filter(({ key }) => key).map(({ key, head }) => [key, head]));
  const rows = sheet.rows.slice(headRow).map((cells, index) => {
    const [plain, words] = [new Map<string, string>(), new Map<string, Map<string, string>>()];
    for (const [at, { key, language }] of columns.entries()) {
      const text = textOf(cells[at] ?? null);
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
  const { texts } = knownIn(place.sheet);
  const present = new Set(heads.map((head) => headParts(head).base));
  const columns = heads.map((head): Column => {
    const { key, language } = headOf(head, place.sheet, present);
    return { head, key, language: texts.includes(key) ? language : null };
  });
  const translated = columns.filter(({ key }) => texts.includes(key));
  const unknown = [...new Set(translated.map(({ language }) => language ?? ''))].filter(
    (language) => language !== '' && tagOfLanguage(language) === null,
  );
  // The one language of a form stands for all where nobody can tell which it is.
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

/** `present` are the columns of the sheet by their own names. */
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
  // jr:count has its mark within the name.
  const direct = aliasOf(whole) ?? aliasOf(whole.replaceAll('jr::', 'jr:'));
  if (direct) return { key: direct, language: null };
  const key = aliasOf(base) ?? base;
  if (rest.length === 0) return { key, language: null };
  if (knownIn(sheet).texts.includes(key)) return { key, language: rest.join(':') };
  return { key: isMedia(key) ? key : original, language: null };
}

/** Whether a cell says yes or no. */
export const isYes = (text: string) => ['yes', 'true', 'true()', '1', '1.0'].includes(text.toLowerCase());
export const isNo = (text: string) => ['', 'no', 'false', 'false()', '0', '0.0'].includes(text.toLowerCase());

export function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return textOfMoment(cell);
  return String(cell).trim();
}

/** As SurveyJS says a text in languages: plain where it has none. */
export function textInLanguages(words: ReadonlyMap<string, string>): Words | undefined {
  const [[language, text] = [], ...others] = words;
  if (text === undefined) return undefined;
  if (others.length === 0 && language === 'default') return text;
  return Object.fromEntries(words);
}
