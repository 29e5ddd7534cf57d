/** The texts of an interview in some language: the app's own, and the form library's. */
import { use, useEffect } from 'react';
import { loadLibraryLocale } from '../../../../../src/questionnaires/validator/library-locales.ts';
import { loadFieldTexts } from '../../../texts/i18n.ts';

const there = new Set(['en']);
const coming = new Map<string, Promise<unknown>>();

/** Nothing waits for ever: words that can not be had without a signal leave those that there are. */
export function loadFormWords(language: string): Promise<unknown> {
  const existing = coming.get(language);
  if (existing) return existing;
  const words = [loadFieldTexts(language), loadLibraryLocale(language)];
  const loading = Promise.allSettled(words).then((loaded) => {
    there.add(language);
    if (loaded.some(({ status }) => status === 'rejected')) coming.delete(language);
  });
  coming.set(language, loading);
  return loading;
}

/** Before anything of a questionnaire is drawn in this language. */
export function useLoadedFormWords(language: string): void {
  if (!there.has(language)) use(loadFormWords(language));
  // What could not be had is asked for again by each page.
  useEffect(() => void loadFormWords(language), [language]);
}
