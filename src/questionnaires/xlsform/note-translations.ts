/** The translated notes about what was left out of a file; English if there is no translation. */
import ar from '../../../locales/ar/xlsform.json' with { type: 'json' };
import en from '../../../locales/en/xlsform.json' with { type: 'json' };
import es from '../../../locales/es/xlsform.json' with { type: 'json' };
import ru from '../../../locales/ru/xlsform.json' with { type: 'json' };
import vi from '../../../locales/vi/xlsform.json' with { type: 'json' };
import zh from '../../../locales/zh/xlsform.json' with { type: 'json' };
import { primaryLanguage } from '../../lib/text-direction.ts';
import { filled, type NoteCode } from './notes.ts';
import { ENGLISH, type NoteTranslation } from './sheets.ts';

const WORDS: Record<string, typeof en> = { ar, en, es, ru, vi, zh };

export function noteTranslation(language: string): NoteTranslation {
  const primary = primaryLanguage(language);
  const words = Object.hasOwn(WORDS, primary) ? WORDS[primary] : undefined;
  if (!words) return ENGLISH;
  const { sheet, row, what, notes } = words;
  return {
    heads: [sheet, row, what],
    message: ({ code, message, params = {} }) =>
      Object.hasOwn(notes, code) ? filled(notes[code as NoteCode], params) : message,
  };
}
