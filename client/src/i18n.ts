/** Languages of the app itself. What a text lacks in one language falls back to English. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { DeskTexts } from './desk/parts/desk-text.ts';
import { en } from './locales/en.ts';
import { es } from './locales/es.ts';

export const LANGUAGES = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'language';
const isLanguage = (text: string): text is Language => text in LANGUAGES;

function firstLanguage(): Language {
  const wished = [localStorage.getItem(KEY) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wished.find(isLanguage) ?? 'en';
}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en; desk: DeskTexts };
  }
}

export async function startLanguages(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next.use(initReactI18next).init({
    lng: firstLanguage(),
    fallbackLng: 'en',
    resources: { en: { translation: en }, es: { translation: es } },
    // React escapes.
    interpolation: { escapeValue: false },
  });
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  await i18next.changeLanguage(language);
}

export const timeOf = (at: string, language: string): string =>
  new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' }).format(new Date(at));

export const momentOf = (at: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));

export const numberOf = (value: number, language: string): string =>
  new Intl.NumberFormat(language).format(value);
