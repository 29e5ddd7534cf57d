/** The form library's own texts (yes, no, none). Languages that are missing here use the English texts. */
/// <reference path="./survey-core-locales.d.ts" />
import { surveyLocalization } from 'survey-core';
import { primarySubtagOf } from '../../platform/lib/languages/text-direction.ts';
import { FORM_LIBRARY_TEXTS } from './library-texts.ts';

const LOCALES: Partial<Record<string, () => Promise<unknown>>> = {
  ar: () => import('survey-core/i18n/arabic'),
  es: () => import('survey-core/i18n/spanish'),
  ru: () => import('survey-core/i18n/russian'),
  vi: () => import('survey-core/i18n/vietnamese'),
  zh: () => import('survey-core/i18n/simplified-chinese').then(plainChinese),
};

/** The library only has Chinese as `zh-cn`. */
function plainChinese(): void {
  surveyLocalization.locales.zh = surveyLocalization.locales['zh-cn'];
}

export async function loadFormLibraryLocale(language: string): Promise<void> {
  const code = primarySubtagOf(language);
  await LOCALES[code]?.();
  correct(code);
}

function correct(code: string): void {
  const texts: unknown = surveyLocalization.locales[code];
  if (texts) Object.assign(texts, FORM_LIBRARY_TEXTS[code]);
}

correct('en');
