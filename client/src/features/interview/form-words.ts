/** The words that belong to an interview in some language: the app's own around it, and the form library's in it. */
import { use } from 'react';
import { surveyLocalization } from 'survey-core';
import { primaryOf } from '../../../../src/lib/direction.ts';
import { loadFieldTexts } from '../../i18n.ts';

/** English is in the library; what is not here stays in English. */
const OF_LIBRARY: Partial<Record<string, () => Promise<unknown>>> = {
  ar: () => import('survey-core/i18n/arabic'),
  es: () => import('survey-core/i18n/spanish'),
  ru: () => import('survey-core/i18n/russian'),
  vi: () => import('survey-core/i18n/vietnamese'),
  zh: () => import('survey-core/i18n/simplified-chinese').then(plainChinese),
};

/** The library knows Chinese by its country only. */
function plainChinese(): void {
  surveyLocalization.locales.zh = surveyLocalization.locales['zh-cn'];
}

const there = new Set(['en']);
const coming = new Map<string, Promise<unknown>>();

/** Nothing waits for ever: words that can not be had without a signal leave those that there are. */
export function loadFormWords(language: string): Promise<unknown> {
  const known = coming.get(language);
  if (known) return known;
  const ofLibrary = OF_LIBRARY[primaryOf(language)] ?? (async () => undefined);
  const made = Promise.allSettled([loadFieldTexts(language), ofLibrary()]).then(() => there.add(language));
  coming.set(language, made);
  return made;
}

/** Before anything of a questionnaire is drawn in this language. */
export function useFormWords(language: string): void {
  if (!there.has(language)) use(loadFormWords(language));
}
