/** What was left out of a file, in the words of who asks for it; English where there are none. */
import ar from '../../../locales/ar/xlsform.json' with { type: 'json' };
import en from '../../../locales/en/xlsform.json' with { type: 'json' };
import es from '../../../locales/es/xlsform.json' with { type: 'json' };
import ru from '../../../locales/ru/xlsform.json' with { type: 'json' };
import vi from '../../../locales/vi/xlsform.json' with { type: 'json' };
import zh from '../../../locales/zh/xlsform.json' with { type: 'json' };
import { primaryOf } from '../../lib/direction.ts';
import { filled, type NoteCode } from './notes.ts';
import { ENGLISH, type Told } from './sheets.ts';

const WORDS: Record<string, typeof en> = { ar, en, es, ru, vi, zh };

export function toldIn(language: string): Told {
  const primary = primaryOf(language);
  const words = Object.hasOwn(WORDS, primary) ? WORDS[primary] : undefined;
  if (!words) return ENGLISH;
  const { sheet, row, what, notes } = words;
  return {
    heads: [sheet, row, what],
    message: ({ code, message, params = {} }) =>
      Object.hasOwn(notes, code) ? filled(notes[code as NoteCode], params) : message,
  };
}
