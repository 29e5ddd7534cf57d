/** The texts of an interview in its language: the app's own and the forms library's. */
import { use, useEffect } from 'react';
import { loadFormLibraryLocale } from '../../../../../src/questionnaires/validator/library-locales.ts';
import { loadInterviewTexts } from '../../../texts/i18n.ts';

const loadedLanguages = new Set(['en']);
const pendingLoads = new Map<string, Promise<unknown>>();

/** Never rejects: offline, texts that can't be loaded are left out. */
export function loadFormTexts(language: string): Promise<unknown> {
  const existing = pendingLoads.get(language);
  if (existing) return existing;
  const words = [loadInterviewTexts(language), loadFormLibraryLocale(language)];
  const loading = Promise.allSettled(words).then((loaded) => {
    loadedLanguages.add(language);
    if (loaded.some(({ status }) => status === 'rejected')) pendingLoads.delete(language);
  });
  pendingLoads.set(language, loading);
  return loading;
}

/** Call before rendering a questionnaire in this language. */
export function useLoadFormTexts(language: string): void {
  if (!loadedLanguages.has(language)) use(loadFormTexts(language));
  // Tries again to load what is missing.
  useEffect(() => void loadFormTexts(language), [language]);
}
