/** The label of a choice that was not selected, for a question with several choices. */
import type { TextByLanguage } from './countable.ts';

const WORDS: TextByLanguage = {
  en: '(not chosen)',
  es: '(no elegido)',
  ar: '(لم يُختَر)',
  ru: '(не выбрано)',
  vi: '(không chọn)',
  zh: '（未选）',
};

export const unselectedLabel = (text: TextByLanguage): TextByLanguage =>
  Object.fromEntries(
    Object.keys(text).map((language) => [language, WORDS[language.split('-')[0] ?? ''] ?? WORDS.en ?? '']),
  );
