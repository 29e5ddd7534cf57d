/** The texts of an interview in its language: the app's own and the forms library's. */
import { use, useEffect } from 'react';
import { loadLibraryLocale } from '../../../../../src/questionnaires/validator/library-locales.ts';
import { loadFieldTexts } from '../../../texts/i18n.ts';

const there = new Set(['en']);
const coming = new Map<string, Promise<unknown>>();

/** Never rejects: offline, texts that can't be loaded are left out. */
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

/** Call before rendering a questionnaire in this language. */
export function useLoadedFormWords(language: string): void {
  if (!there.has(language)) use(loadFormWords(language));
  // Tries again to load what is missing.
  useEffect(() => void loadFormWords(language), [language]);
}
