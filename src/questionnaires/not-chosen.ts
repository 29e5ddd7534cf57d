/** How a choice that someone did not make is told, of a question with several. */
import type { Texts } from './countable.ts';

const WORDS: Texts = {
  en: '(not chosen)',
  es: '(no elegido)',
  ar: '(لم يُختَر)',
  ru: '(не выбрано)',
  vi: '(không chọn)',
  zh: '（未选）',
};

/** In the languages of the choice's own text. */
export const notChosen = (text: Texts): Texts =>
  Object.fromEntries(
    Object.keys(text).map((language) => [language, WORDS[language.split('-')[0] ?? ''] ?? WORDS.en ?? '']),
  );
