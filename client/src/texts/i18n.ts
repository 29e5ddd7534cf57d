/**
 * The app's languages: one folder of texts each, in locales/. A window only loads its own language. Every language has
 * every text (a test checks this), so none is a fallback for another.
 */
import i18next, { type TFunction } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type builderTexts from '../../../locales/en/builder.json';
import type deskTexts from '../../../locales/en/desk.json';
import type deskFaultTexts from '../../../locales/en/desk-faults.json';
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
import { primaryLanguage, textDirection } from '../../../src/platform/lib/languages/text-direction.ts';
import { readSetting, storeSetting } from '../device/local-settings.ts';

export type Language = keyof typeof languages;
/** Each by its own name. */
export const LANGUAGES: Record<Language, { name: string; draft?: boolean }> = languages;

export type FieldTexts = typeof fieldTexts;
/**
 * The files of each language. `field`: the phone and what the whole app shares. `faults`: what the service finds wrong,
 * once the app has started; `desk-faults`: the same of questionnaires and prints, on the dashboard. `lock`: of the PIN, on phones. `flags`: what is noted at an interview. `mend`: for interviews that were refused, or of which there are two versions. `own-page`: what a person gets or is asked at the end of the interview: the secret of their own page, and texts; also whether somebody was interviewed before. `passkeys`: of passkeys, and of where one is signed in. `paying`: of incentives, for the phone and the dashboard. `waiting`: for people who are not approved yet. `desk`: what pages of the dashboard share. Every other one belongs to a feature and comes with its pages (app.tsx).
 */
interface Texts {
  field: FieldTexts;
  desk: typeof deskTexts;
  'desk-faults': typeof deskFaultTexts;
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
export type TextFile = keyof Texts;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'field';
    resources: Texts;
  }
}

const KEY = 'language';
const MAIN = 'en';
export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/** Not yet checked by anyone who speaks it. */
export const isDraft = (text: string): boolean => isLanguage(text) && LANGUAGES[text].draft === true;

/** The one that was chosen on this device, then those of the browser. */
export const wishedLanguages = (): string[] => [readSetting(KEY) ?? '', ...navigator.languages];

/** The one that a new window speaks. */
export const firstLanguage = (): Language => wishedLanguages().map(primaryLanguage).find(isLanguage) ?? MAIN;

const textsOf = async (language: Language, file: TextFile): Promise<object> =>
  ((await import(`../../../locales/${language}/${file}.json`)) as { default: object }).default;

async function loadTexts(language: Language, file: TextFile): Promise<void> {
  if (i18next.hasResourceBundle(language, file)) return;
  i18next.addResourceBundle(language, file, await textsOf(language, file));
}

export async function startLanguages(): Promise<void> {
  let language = firstLanguage();
  const field = await textsOf(language, 'field').catch(() => {
    language = MAIN;
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
 * React escapes by itself. What is put into a text that is read from the right, a name or a code, keeps its own
 * direction, and that of the text around it: the marks say where it begins and ends, and can not be seen.
 */
const isolated = (value: string): string =>
  textDirection(i18next.language) === 'rtl' ? `\u2068${value}\u2069` : value;

/** What this window speaks about: also the dashboard and what else was opened. */
const loadedFiles = new Set<TextFile>(['field']);
let wishedLanguage: Language | undefined;

/** Without a signal a language that is not on the device can not be had, and the one before stays. */
export async function chooseLanguage(language: Language): Promise<void> {
  wishedLanguage = language;
  const loaded = await Promise.all([...loadedFiles].map((file) => loadTexts(language, file))).then(
    () => true,
    () => false,
  );
  if (!loaded || wishedLanguage !== language) return;
  storeSetting(KEY, language);
  await i18next.changeLanguage(language);
}

/** A page's words come with the page; it may be on its way when another language is chosen. */
export async function loadPageTexts(files: TextFile[]): Promise<void> {
  const { language } = i18next;
  if (isLanguage(language)) await Promise.all(files.map((file) => loadTexts(language, file)));
  for (const file of files) loadedFiles.add(file);
  if (i18next.language !== language) await loadPageTexts(files);
}

/** Those around an interview in another language than the app's; one that the app does not speak needs none. */
export async function loadFieldTexts(language: string, file: TextFile = 'field'): Promise<void> {
  const own = primaryLanguage(language);
  if (isLanguage(own)) await loadTexts(own, file);
}

/** `t` in this language, or in the app's where those words are not here. */
export function textsIn<File extends TextFile = 'field'>(language: string, file?: File): TFunction<File> {
  const own = primaryLanguage(language);
  const isHere = i18next.hasResourceBundle(own, file ?? 'field');
  return i18next.getFixedT(isHere ? own : i18next.language, file ?? 'field') as TFunction<File>;
}

/** Numbers stand in the digits of codes and phones everywhere: a page with two kinds of digits is hard to read. */
export const localeTagOf = (language: string): string => `${language}-u-nu-latn`;

/** A language by its own name. */
export function languageName(code: string): string {
  if (isLanguage(code)) return LANGUAGES[code].name;
  return nameWithin(code, code.replaceAll('_', '-'));
}

/** Made once for each language: to make one takes longer than to write a hundred dates with it. */
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
  // "4:02" and "PM", or whatever stands for it, are one word.
  return (at, language) =>
    format(language)
      .format(new Date(at))
      .replace(/(:\d\d) (?=\p{L})/u, '$1\u00a0');
}

export const timeOf = dateFormatter({ hour: 'numeric', minute: '2-digit' });
export const momentOf = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' });

/** Days of the calendar, as "2026-11-22", are the same everywhere. */
export const dayOf = dateFormatter({ dateStyle: 'medium', timeZone: 'UTC' });
export const shortDayOf = dateFormatter({ day: 'numeric', month: 'short', timeZone: 'UTC' });
export const fullDayOf = dateFormatter({ dateStyle: 'full', timeZone: 'UTC' });

const numbers = oncePerLanguage((language) => new Intl.NumberFormat(localeTagOf(language)));
export const numberOf = (value: number, language: string): string => numbers(language).format(value);
