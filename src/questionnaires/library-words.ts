/** The form library's own words: yes, no, none. English is in the library; what is not here stays in English. */
/// <reference path="./survey-core-words.d.ts" />
import { surveyLocalization } from 'survey-core';
import { primaryOf } from '../lib/direction.ts';

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

export const loadLibraryWords = async (language: string): Promise<unknown> =>
  await OF_LIBRARY[primaryOf(language)]?.();
