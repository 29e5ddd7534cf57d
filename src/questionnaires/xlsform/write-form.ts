/**
 * Writes sheets as an .xlsx file. Each cell is marked as text, so that no program reads one that begins with `=` as a
 * formula.
 */
import writeXlsx from 'write-excel-file/node';
import ar from '../../../locales/ar/xlsform.json' with { type: 'json' };
import en from '../../../locales/en/xlsform.json' with { type: 'json' };
import es from '../../../locales/es/xlsform.json' with { type: 'json' };
import ru from '../../../locales/ru/xlsform.json' with { type: 'json' };
import vi from '../../../locales/vi/xlsform.json' with { type: 'json' };
import zh from '../../../locales/zh/xlsform.json' with { type: 'json' };
import { fillPlaceholders } from '../../platform/http/problems/error-codes.ts';
import { primarySubtagOf } from '../../platform/lib/languages/text-direction.ts';
import { exportForm, type FormToExport } from './export/export.ts';
import type { NoteCode } from './notes.ts';
import { ENGLISH_LEFT_OUT_TEXTS, type LeftOutSheetTexts, type WrittenSheet } from './sheets.ts';

/** Maximum length of a cell in an .xlsx file. */
const MAX_LETTERS = 32_767;

/**
 * The library looks up its texts in a plain object, and writes nothing for names that every object has, such as
 * `constructor`. A trailing space avoids that; importing trims it.
 */
const safe = (text: string) => (text in {} ? `${text} ` : text);

/** Runs in the validator's process. */
export const writeXlsformFile = async (form: FormToExport, language = 'en'): Promise<Uint8Array> =>
  await sheetsToXlsx(exportForm(form, noteTranslation(language)).sheets);

export async function sheetsToXlsx(sheets: WrittenSheet[]): Promise<Uint8Array> {
  const cell = (value: string, isHead: boolean) =>
    value === ''
      ? null
      : {
          value: safe(value.slice(0, MAX_LETTERS)),
          type: String,
          ...(isHead && { fontWeight: 'bold' as const }),
        };
  return await writeXlsx(
    sheets.map(({ name, rows }) => ({
      sheet: name,
      data: rows.map((row, index) => row.map((value) => cell(value, index === 0))),
      stickyRowsCount: 1,
    })),
  ).toBuffer();
}

const TRANSLATIONS: Record<string, typeof en> = { ar, en, es, ru, vi, zh };

/** The translated notes about what was left out of a file; English if there is no translation. */
function noteTranslation(language: string): LeftOutSheetTexts {
  const primary = primarySubtagOf(language);
  const words = Object.hasOwn(TRANSLATIONS, primary) ? TRANSLATIONS[primary] : undefined;
  if (!words) return ENGLISH_LEFT_OUT_TEXTS;
  const { sheet, row, what, notes } = words;
  return {
    heads: [sheet, row, what],
    message: ({ code, message, params = {} }) =>
      Object.hasOwn(notes, code) ? fillPlaceholders(notes[code as NoteCode], params) : message,
  };
}
