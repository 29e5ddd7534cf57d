/** The label of a question's remark field. */
import type { Texts } from './countable.ts';

const WORDS: Texts = {
  en: '(in own words)',
  es: '(en sus propias palabras)',
  ar: '(بكلماته هو)',
  ru: '(своими словами)',
  vi: '(bằng lời của mình)',
  zh: '（用自己的话）',
};

/** In the languages of the question's title; empty in others. */
export const remarkLabel = (text: Texts): Texts =>
  Object.fromEntries(
    Object.entries(text).map(([language, own]) => {
      const words = WORDS[language.split('-')[0] ?? ''];
      return [language, own && words ? `${own}: ${words}` : ''];
    }),
  );
