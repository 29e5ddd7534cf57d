/**
 * The texts of a sheet in its languages: standard texts and the study's own. Languages without standard texts here use
 * the English ones.
 */

import ar from '../../../locales/ar/print.json' with { type: 'json' };
import en from '../../../locales/en/print.json' with { type: 'json' };
import es from '../../../locales/es/print.json' with { type: 'json' };
import ru from '../../../locales/ru/print.json' with { type: 'json' };
import vi from '../../../locales/vi/print.json' with { type: 'json' };
import zh from '../../../locales/zh/print.json' with { type: 'json' };
import { fillPlaceholders } from '../../platform/http/problems/error-codes.ts';
import { isLanguageTag } from '../../platform/lib/languages/language-tag.ts';
import { primarySubtagOf, textDirection } from '../../platform/lib/languages/text-direction.ts';
import { studyContactInLanguage } from '../../study/settings/contacts.ts';
import type { CouponSheet } from './coupon-sheet.ts';

type PluralForms = { [Form in Intl.LDMLPluralRule]?: string } & { other: string };
type Words = Omit<typeof en, 'days' | 'hours'> & { days: PluralForms; hours: PluralForms };

/** To add a language, add it here and above. */
const WORDS: Record<string, Words> = { ar, en, es, ru, vi, zh };
export const isPrintLanguage = (language: string) => Object.hasOwn(WORDS, primarySubtagOf(language));
export const couponSheetWordsIn = (language: string): Words => WORDS[primarySubtagOf(language)] ?? en;

function spanIn({ between, since, until }: Words['valid'], from: string | null, to: string | null): string {
  return fillPlaceholders(from && to ? between : from ? since : until, { from, to });
}

/** Relative to the day on which the coupon is handed out, which isn't known at printing time. */
function validityPeriodText(language: string, days: number | null, afterHours: number): string {
  const words = couponSheetWordsIn(language);
  const rules = new Intl.PluralRules(isPrintLanguage(language) ? primarySubtagOf(language) : 'en');
  const pluralOf = (forms: PluralForms, count: number) =>
    fillPlaceholders(forms[rules.select(count)] ?? forms.other, { count });
  const { both, days: forDays, hours: fromHours } = words.term;
  const text = days === null ? fromHours : afterHours > 0 ? both : forDays;
  return fillPlaceholders(text, {
    days: pluralOf(words.days, days ?? 0),
    hours: pluralOf(words.hours, afterHours),
  });
}

/** A text and its direction; 'auto' is decided by the first letter. */
export interface DirectedText {
  text: string;
  direction: 'ltr' | 'rtl' | 'auto';
  language?: string;
}

export function couponSheetLanguages(sheet: CouponSheet): string[] {
  const languages = sheet.languages.length > 0 ? sheet.languages : sheet.study.languages;
  return [...new Set(languages.length > 0 ? languages : ['en'])];
}

function dayIn(
  language: string,
  layout: CouponSheet['layout'],
  day: string | null | undefined,
): string | null {
  if (!day) return null;
  const at = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) throw new RangeError(`not a day: ${day}`);
  // With the same digits as the code.
  return new Intl.DateTimeFormat(new Intl.Locale(language, { numberingSystem: 'latn' }), {
    dateStyle: layout === 'page' ? 'long' : 'medium',
    timeZone: 'UTC',
  }).format(at);
}

/** Dates use the exact locale (such as 'en-GB'), but English if there are no standard texts in the language. */
function validity(sheet: CouponSheet, language: string): string[] {
  const words = couponSheetWordsIn(language);
  const tag = language.replaceAll('_', '-');
  const locale = !isPrintLanguage(language) ? 'en' : isLanguageTag(tag) ? tag : primarySubtagOf(tag);
  const day = (at: string | null | undefined) => dayIn(locale, sheet.layout, at);
  const own = [day(sheet.validFrom), day(sheet.expiresOn)] as const;
  if (own[0] || own[1]) return [spanIn(words.valid, ...own)];
  const { days, afterHours } = sheet.fromHandingOut ?? { days: null, afterHours: 0 };
  const term = days !== null || afterHours > 0 ? [validityPeriodText(language, days, afterHours)] : [];
  // Cards have room for only one of the two.
  if (term.length > 0 && sheet.layout !== 'page') return term;
  const study = [day(sheet.study.dueFrom), day(sheet.study.dueTo)] as const;
  return study[0] || study[1] ? [...term, spanIn(words.interviews, ...study)] : term;
}

export interface SheetTexts {
  /** The alignment of all headings and lists, by the first language. */
  align: 'left' | 'right';
  eyebrow: string;
  name: DirectedText;
  texts: DirectedText[];
  codeLabel: string;
  whereLabel: string;
  sites: { name: string; address: string }[];
  /** Whether the first site is the issuing site. */
  issuing: boolean;
  questionsLabel: string;
  /** Without duplicates, in language order. */
  contacts: DirectedText[];
  validity: string[];
}

function contactsOf({ study }: CouponSheet, languages: string[]): DirectedText[] {
  const each = languages.map((language) => studyContactInLanguage(study, language).trim());
  return [...new Set(each)].filter(Boolean).map((text) => ({ text, direction: 'auto' }));
}

/** `site` is the index of the issuing site in the sheet's sites, or null. */
export function couponSheetTexts(sheet: CouponSheet, site: number | null): SheetTexts {
  const languages = couponSheetLanguages(sheet);
  const own = sheet.sites.filter((_, at) => at === site);
  const others = sheet.sites.filter((_, at) => at !== site);
  const mixed = languages.some((language) => textDirection(language) === 'rtl');
  /** Next to right-to-left text, "Questions?" would show its question mark at the wrong end. */
  const directed = (text: string) => (mixed && /^[a-z]/i.test(text) ? `${text}\u200e` : text);
  const each = (pick: (words: Words) => string) =>
    [...new Set(languages.map((language) => directed(pick(couponSheetWordsIn(language)))))].join(' · ');
  return {
    align: textDirection(languages[0] ?? 'en') === 'rtl' ? 'right' : 'left',
    eyebrow: each((words) => words[sheet.kind]),
    name: { text: sheet.study.name.trim(), direction: 'auto' },
    texts: languages.flatMap((language) => {
      const text = sheet.study.couponText[language]?.trim();
      if (!text) return [];
      return [{ text, language, direction: textDirection(language) === 'rtl' ? 'rtl' : 'auto' } as const];
    }),
    codeLabel: each((words) => words.code),
    whereLabel: each((words) => words.where),
    sites: [...own, ...others].map((one) => ({ name: one.name.trim(), address: one.address?.trim() ?? '' })),
    issuing: own.length > 0,
    questionsLabel: each((words) => words.questions),
    contacts: contactsOf(sheet, languages),
    validity: [...new Set(languages.flatMap((language) => validity(sheet, language)))],
  };
}
