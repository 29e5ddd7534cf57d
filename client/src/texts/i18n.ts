/**
 * The app's languages: one folder of texts each, in locales/. A window only loads its own language. Every language has
 * every text (a test checks this), so none is a fallback for another.
 */
import i18next, { type TFunction } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type builderTexts from '../../../locales/en/builder.json';
import type dashboardTexts from '../../../locales/en/dashboard.json';
import type dashboardFaultTexts from '../../../locales/en/dashboard-faults.json';
import type faultTexts from '../../../locales/en/faults.json';
import type fieldTexts from '../../../locales/en/field.json';
import type firstRunTexts from '../../../locales/en/first-run.json';
import type flagTexts from '../../../locales/en/flags.json';
import type lockTexts from '../../../locales/en/lock.json';
import type mendTexts from '../../../locales/en/mend.json';
import type ownPageTexts from '../../../locales/en/own-page.json';
import type passkeyTexts from '../../../locales/en/passkeys.json';
import type payingTexts from '../../../locales/en/paying.json';
import type paymentsTexts from '../../../locales/en/payments.json';
import type qualityTexts from '../../../locales/en/quality.json';
import type resultsTexts from '../../../locales/en/results.json';
import type waitingTexts from '../../../locales/en/waiting.json';
import type xlsformTexts from '../../../locales/en/xlsform.json';
import languages from '../../../locales/languages.json' with { type: 'json' };
import { languageName as nameWithin } from '../../../src/platform/lib/languages/language-name.ts';
import { primarySubtagOf, textDirection } from '../../../src/platform/lib/languages/text-direction.ts';
import { readLocalSetting, storeLocalSetting } from '../device/local-settings.ts';

export type AppLanguage = keyof typeof languages;
/** Each language by its own name. */
export const APP_LANGUAGES: Record<AppLanguage, { name: string; draft?: boolean }> = languages;

export type FieldAppTexts = typeof fieldTexts;
/**
 * A language's files.
 * `field`: the phone, and what the whole app shares.
 * `faults`: the service's error messages, loaded once the app has started.
 * `dashboard-faults`: errors about questionnaires and printing, on the dashboard.
 * `lock`: the PIN, on phones.
 * `flags`: what is flagged at an interview.
 * `mend`: interviews that were refused or exist in two versions.
 * `own-page`: what a person gets or is asked at the end of the interview (the secret of their own page, text
 * messages), and whether someone was interviewed before.
 * `passkeys`: passkeys and active sessions.
 * `paying`: incentives, on the phone and the dashboard.
 * `waiting`: for people who aren't approved yet.
 * `dashboard`: what the dashboard's pages share.
 * Every other file belongs to a feature and loads with its pages (app.tsx).
 */
interface Texts {
  field: FieldAppTexts;
  dashboard: typeof dashboardTexts;
  'dashboard-faults': typeof dashboardFaultTexts;
  faults: typeof faultTexts;
  builder: typeof builderTexts;
  'first-run': typeof firstRunTexts;
  flags: typeof flagTexts;
  'own-page': typeof ownPageTexts;
  passkeys: typeof passkeyTexts;
  lock: typeof lockTexts;
  mend: typeof mendTexts;
  paying: typeof payingTexts;
  payments: typeof paymentsTexts;
  quality: typeof qualityTexts;
  results: typeof resultsTexts;
  waiting: typeof waitingTexts;
  xlsform: typeof xlsformTexts;
}
export type TextNamespace = keyof Texts;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'field';
    resources: Texts;
  }
}

const KEY = 'language';
const DEFAULT_LANGUAGE = 'en';
export const isLanguage = (text: string): text is AppLanguage => Object.hasOwn(APP_LANGUAGES, text);

/** Not yet reviewed by a speaker of the language. */
export const isUnreviewedLanguage = (text: string): boolean =>
  isLanguage(text) && APP_LANGUAGES[text].draft === true;

/** The language chosen on this device, then the browser's. */
export const preferredLanguages = (): string[] => [readLocalSetting(KEY) ?? '', ...navigator.languages];

/** The language of a new window. */
export const initialLanguage = (): AppLanguage =>
  preferredLanguages().map(primarySubtagOf).find(isLanguage) ?? DEFAULT_LANGUAGE;

const textsOf = async (language: AppLanguage, file: TextNamespace): Promise<object> =>
  ((await import(`../../../locales/${language}/${file}.json`)) as { default: object }).default;

async function loadTexts(language: AppLanguage, file: TextNamespace): Promise<void> {
  if (i18next.hasResourceBundle(language, file)) return;
  i18next.addResourceBundle(language, file, await textsOf(language, file));
}

export async function initializeTranslations(): Promise<void> {
  let language = initialLanguage();
  const field = await textsOf(language, 'field').catch(() => {
    language = DEFAULT_LANGUAGE;
    return textsOf(language, 'field');
  });
  i18next.on('languageChanged', () => {
    document.documentElement.lang = i18next.language;
    document.documentElement.dir = textDirection(i18next.language);
  });
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'field',
    resources: { [language]: { field } },
    interpolation: { escape: isolated },
  });
}

/**
 * React does the escaping. Values such as names and codes in right-to-left text are wrapped in invisible isolation
 * marks, so that they keep their own direction and don't change that of the text around them.
 */
const isolated = (value: string): string =>
  textDirection(i18next.language) === 'rtl' ? `\u2068${value}\u2069` : value;

/** Files loaded in this window, which must be loaded again in another language. */
const loadedFiles = new Set<TextNamespace>(['field']);
let wishedLanguage: AppLanguage | undefined;

/** Offline, a language that isn't on the device can't be loaded, so the current one stays. */
export async function switchLanguage(language: AppLanguage): Promise<void> {
  wishedLanguage = language;
  const loaded = await Promise.all([...loadedFiles].map((file) => loadTexts(language, file))).then(
    () => true,
    () => false,
  );
  if (!loaded || wishedLanguage !== language) return;
  storeLocalSetting(KEY, language);
  await i18next.changeLanguage(language);
}

/** A page's texts load with the page. If the language changes meanwhile, loads them again. */
export async function loadPageTexts(files: TextNamespace[]): Promise<void> {
  const { language } = i18next;
  if (isLanguage(language)) await Promise.all(files.map((file) => loadTexts(language, file)));
  for (const file of files) loadedFiles.add(file);
  if (i18next.language !== language) await loadPageTexts(files);
}

/** Texts around an interview in another language than the app's. A language the app doesn't have is ignored. */
export async function loadInterviewTexts(language: string, file: TextNamespace = 'field'): Promise<void> {
  const own = primarySubtagOf(language);
  if (isLanguage(own)) await loadTexts(own, file);
}

/** `t` in this language, or in the app's language if those texts aren't loaded. */
export function translateFunctionFor<File extends TextNamespace = 'field'>(
  language: string,
  file?: File,
): TFunction<File> {
  const own = primarySubtagOf(language);
  const isHere = i18next.hasResourceBundle(own, file ?? 'field');
  return i18next.getFixedT(isHere ? own : i18next.language, file ?? 'field') as TFunction<File>;
}

/**
 * Numbers use Latin digits in every language, like codes and phone numbers: two kinds of digits on a page are hard to
 * read.
 */
export const localeTagOf = (language: string): string => `${language}-u-nu-latn`;

/** A language by its own name. */
export function nativeLanguageName(code: string): string {
  if (isLanguage(code)) return APP_LANGUAGES[code].name;
  return nameWithin(code, code.replaceAll('_', '-'));
}

/** Caches one per language: creating a formatter takes longer than formatting a hundred dates. */
export function oncePerLanguage<T>(make: (language: string) => T): (language: string) => T {
  const cache = new Map<string, T>();
  return (language) => {
    const cached = cache.get(language) ?? make(language);
    cache.set(language, cached);
    return cached;
  };
}

export function dateFormatter(options: Intl.DateTimeFormatOptions): (at: string, language: string) => string {
  const format = oncePerLanguage((language) => new Intl.DateTimeFormat(localeTagOf(language), options));
  // Keeps "4:02" and "PM" (or its translation) on one line.
  return (at, language) =>
    format(language)
      .format(new Date(at))
      .replace(/(:\d\d) (?=\p{L})/u, '$1\u00a0');
}

export const formatTimeOfDay = dateFormatter({ hour: 'numeric', minute: '2-digit' });
export const formatDateTime = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' });

/** Calendar days such as "2026-11-22" don't depend on the time zone. */
export const formatDay = dateFormatter({ dateStyle: 'medium', timeZone: 'UTC' });
export const shortDayOf = dateFormatter({ day: 'numeric', month: 'short', timeZone: 'UTC' });
export const fullDayOf = dateFormatter({ dateStyle: 'full', timeZone: 'UTC' });

const numbers = oncePerLanguage((language) => new Intl.NumberFormat(localeTagOf(language)));
export const numberInLanguage = (value: number, language: string): string => numbers(language).format(value);
