/** Builds the sheets of a form: rows of named cells, with columns in the order of the format. Browser-safe. */
import { languageLabelOfTag, type TextOrTranslations } from './languages.ts';
import type { SheetRowPlace, XlsformNote } from './notes.ts';

export interface WrittenSheet {
  name: string;
  /** The first row has the headers; an empty cell is an empty text. */
  rows: string[][];
}

const SURVEY =
  'type name label hint required required_message relevant constraint constraint_message calculation read_only default appearance choice_filter parameters repeat_count'.split(
    ' ',
  );
const CHOICES = ['list_name', 'name', 'label'];
const TRANSLATED_COLUMNS = ['label', 'hint', 'required_message', 'constraint_message'];

/** Translations for the sheet that lists what was left out. */
export interface LeftOutSheetTexts {
  heads: string[];
  message(note: XlsformNote): string;
}
export const ENGLISH_LEFT_OUT_TEXTS: LeftOutSheetTexts = {
  heads: ['sheet', 'row', 'what'],
  message: ({ message }) => message,
};

/** By column; a text may be in several languages. */
export type WrittenSheetRow = Record<string, TextOrTranslations | undefined>;

export class XlsformSheetWriter {
  readonly survey: WrittenSheetRow[] = [];
  readonly choices: WrittenSheetRow[] = [];
  readonly settings: Record<string, string> = {};

  /** The place of the next row of the survey sheet. */
  get next(): SheetRowPlace {
    return { sheet: 'survey', row: this.survey.length + 2 };
  }

  /** `locale`: the form's own language. A text that equals it isn't repeated as the default. */
  written(
    locale: string | null,
    notes: readonly XlsformNote[],
    { heads, message }: LeftOutSheetTexts,
  ): WrittenSheet[] {
    const settings = Object.entries(this.settings);
    const leftOut = notes.map((note) => [note.sheet, note.row === 0 ? '' : String(note.row), message(note)]);
    return [
      { name: 'survey', rows: rowsOf(this.survey, SURVEY, locale) },
      { name: 'choices', rows: rowsOf(this.choices, CHOICES, locale) },
      { name: 'settings', rows: [settings.map(([key]) => key), settings.map(([, value]) => value)] },
      ...(notes.length > 0 ? [{ name: 'left_out', rows: [heads, ...leftOut] }] : []),
    ];
  }
}

const textIn = (words: TextOrTranslations | undefined, language: string): string => {
  if (typeof words === 'string') return language === 'default' ? words : '';
  return words && Object.hasOwn(words, language) ? (words[language] ?? '') : '';
};

function rowsOf(rows: WrittenSheetRow[], order: string[], locale: string | null): string[][] {
  const extra = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => !order.includes(key));
  const columns = [...order, ...extra].flatMap((key) => {
    if (!TRANSLATED_COLUMNS.includes(key)) {
      const isNeeded =
        key === 'type' || key === 'name' || key === 'list_name' || rows.some((row) => row[key]);
      return isNeeded ? [{ key, language: 'default', head: key }] : [];
    }
    return languagesOf(rows, key, locale).map((language) => ({
      key,
      language,
      head: language === 'default' ? key : `${key}::${languageLabelOfTag(language)}`,
    }));
  });
  // XLSForm tools require a label column.
  if (columns.every(({ key }) => key !== 'label'))
    columns.push({ key: 'label', language: 'default', head: 'label' });
  return [
    columns.map(({ head }) => head),
    ...rows.map((row) => columns.map(({ key, language }) => textIn(row[key], language))),
  ];
}

function languagesOf(rows: WrittenSheetRow[], key: string, locale: string | null): string[] {
  const languages = new Set<string>();
  for (const { [key]: words } of rows)
    for (const language of typeof words === 'object' ? Object.keys(words) : words ? ['default'] : [])
      languages.add(language);
  const isOwn = (words: TextOrTranslations | undefined) =>
    words === undefined || (typeof words === 'object' && words.default === words[locale ?? '']);
  if (locale !== null && languages.has(locale) && rows.every(({ [key]: words }) => isOwn(words)))
    languages.delete('default');
  return [...languages].toSorted((a, b) => Number(b === 'default') - Number(a === 'default'));
}
