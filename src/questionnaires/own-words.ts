/** How the remark beside a question's choices is told. */
import type { Texts } from './countable.ts';

const WORDS: Texts = {
  en: '(in own words)',
  es: '(en sus propias palabras)',
  ar: '(بكلماته هو)',
  ru: '(своими словами)',
  vi: '(bằng lời của mình)',
  zh: '（用自己的话）',
};

/** In the languages of the question's own text; in others it stays empty. */
export const inOwnWords = (text: Texts): Texts =>
  Object.fromEntries(
    Object.entries(text).map(([language, own]) => {
      const words = WORDS[language.split('-')[0] ?? ''];
      return [language, own && words ? `${own}: ${words}` : ''];
    }),
  );
