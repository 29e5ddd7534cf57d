/**
 * Notes on an import or export: what was left out or converted to something else, and why a form can't be read, each
 * with sheet and row as numbered in a spreadsheet. Browser-safe.
 */
import en from '../../../locales/en/xlsform.json' with { type: 'json' };
import {
  type FaultCode,
  type FaultTextParameters,
  fillPlaceholders,
} from '../../platform/http/problems/error-codes.ts';

/** The English messages of the import page. */
export const XLSFORM_NOTE_MESSAGES = en.notes;
export type NoteCode = keyof typeof XLSFORM_NOTE_MESSAGES;

/** Notes that don't affect the questions or answers. */
const HARMLESS_CODES: readonly string[] = [
  'METADATA',
  'DISABLED',
  'GRID_HEAD',
  'NAME_TWICE',
  'DAY_MORE',
  'TYPE_AS',
  'CALCULATED',
  'COLUMN_UNKNOWN',
  'APPEARANCE',
  'GUIDANCE_SHOWN',
  'LIST_UNUSED',
  'LANGUAGE_DEFAULT',
  'SHEET_UNUSED',
  'SETTING_LEFT_OUT',
  'SETTING_OWN',
  'GROUP_EMPTY',
  'GROUP_END',
  'NOT_IN_GROUPS',
  'MARKUP_LOST',
  'CHOICE_HIDDEN',
] satisfies NoteCode[];

/** What a note is about, most severe first. */
export const XLSFORM_NOTE_SEVERITIES = ['RULE', 'QUESTION', 'HARMLESS'] as const;
export type NoteWeight = (typeof XLSFORM_NOTE_SEVERITIES)[number];

export function xlsformNoteSeverityOf({ code }: Pick<XlsformNote, 'code'>): NoteWeight {
  if (code.startsWith('RULE_') || code === 'CELL_LEFT_OUT') return 'RULE';
  return HARMLESS_CODES.includes(code) ? 'HARMLESS' : 'QUESTION';
}

export interface XlsformNote {
  /** Empty if the note is about the whole file. */
  sheet: string;
  /** As numbered in a spreadsheet; 0 if the note is about the whole sheet. */
  row: number;
  /** One of these codes, or a fault of the questionnaire. */
  code: NoteCode | FaultCode;
  message: string;
  params?: FaultTextParameters;
}

export interface SheetRowPlace {
  sheet: string;
  row: number;
}

/** Place of a note about the whole file. */
export const WHOLE_FILE: SheetRowPlace = { sheet: '', row: 0 };
export const mebibytesText = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

const MAX_LETTERS = 80;
const short = (value: string | number) =>
  typeof value === 'string' && value.length > MAX_LETTERS ? `${value.slice(0, MAX_LETTERS)}…` : value;

export function newXlsformNote(
  { sheet, row }: SheetRowPlace,
  code: NoteCode,
  params: FaultTextParameters = {},
): XlsformNote {
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, short(value)]));
  const message = fillPlaceholders(XLSFORM_NOTE_MESSAGES[code], texts);
  return { sheet, row, code, message, ...(Object.keys(texts).length > 0 ? { params: texts } : {}) };
}

/** Collects notes, up to a limit: nobody reads more than a thousand. */
export class Notes {
  readonly all: XlsformNote[] = [];
  readonly #most = 1_000;

  add(place: SheetRowPlace, code: NoteCode, params?: FaultTextParameters): void {
    if (this.all.length < this.#most) this.all.push(newXlsformNote(place, code, params));
  }
}
