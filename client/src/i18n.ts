/** Languages of the app itself. What a text lacks in one language falls back to English. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { DeskTexts } from './desk/desk-text.ts';
import { keepSetting, readSetting } from './device/small-store.ts';
import { en } from './locales/en.ts';
import { es } from './locales/es.ts';

export const LANGUAGES = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'language';
export const isLanguage = (text: string): text is Language => text in LANGUAGES;

/** The one that was chosen on this device, then those of the browser. */
export const wishedLanguages = (): string[] => [readSetting(KEY) ?? '', ...navigator.languages];

function firstLanguage(): Language {
  const wished = wishedLanguages().map((tag) => tag.slice(0, 2));
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
  keepSetting(KEY, language);
  await i18next.changeLanguage(language);
}

/** A language by its own name. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** Made once for each language: to make one takes longer than to write a hundred dates with it. */
function once<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}

export function datesAs(options: Intl.DateTimeFormatOptions): (at: string, language: string) => string {
  const format = once((language) => new Intl.DateTimeFormat(language, options));
  return (at, language) => format(language).format(new Date(at));
}

export const timeOf = datesAs({ hour: 'numeric', minute: '2-digit' });
export const momentOf = datesAs({ dateStyle: 'medium', timeStyle: 'short' });

const numbers = once((language) => new Intl.NumberFormat(language));
export const numberOf = (value: number, language: string): string => numbers(language).format(value);
