/**
 * The few words that are on a coupon whatever the study says, and the texts of a sheet in its languages. A language
 * that has no words here gets the English ones; its own texts come from the study all the same.
 */
import type { CouponSheet } from './coupon-sheet.ts';

type Span = (from: string | null, to: string | null) => string;
type Term = (days: number | null, afterHours: number) => string;

interface Words {
  seed: string;
  coupon: string;
  code: string;
  where: string;
  questions: string;
  valid: Span;
  term: Term;
  interviews: Span;
}

const english =
  (what: string): Span =>
  (from, to) =>
    from && to ? `${what} from ${from} to ${to}` : from ? `${what} from ${from}` : `${what} until ${to}`;
const spanish =
  (what: string): Span =>
  (from, to) =>
    from && to
      ? `${what} del ${from} al ${to}`
      : from
        ? `${what} desde el ${from}`
        : `${what} hasta el ${to}`;

/** From the day on which it is handed out, which nobody knows when it is printed. */
const englishTerm: Term = (days, afterHours) => {
  const good = days === null ? 'Good' : `Good for ${days} ${days === 1 ? 'day' : 'days'}`;
  const hours = `${afterHours} ${afterHours === 1 ? 'hour' : 'hours'}`;
  return afterHours === 0 ? `${good} after you receive it` : `${good} from ${hours} after you receive it`;
};
const spanishTerm: Term = (days, afterHours) => {
  const good = days === null ? 'Válido' : `Válido por ${days} ${days === 1 ? 'día' : 'días'}`;
  const hours = `${afterHours} ${afterHours === 1 ? 'hora' : 'horas'}`;
  return afterHours === 0 ? `${good} después de recibirlo` : `${good} desde ${hours} después de recibirlo`;
};

const EN: Words = {
  seed: 'Invitation',
  coupon: 'Coupon',
  code: 'Your code',
  where: 'Where to go',
  questions: 'Questions?',
  valid: english('Valid'),
  term: englishTerm,
  interviews: english('Interviews'),
};

const ES: Words = {
  seed: 'Invitación',
  coupon: 'Cupón',
  code: 'Su código',
  where: 'Dónde ir',
  questions: '¿Preguntas?',
  valid: spanish('Válido'),
  term: spanishTerm,
  interviews: spanish('Entrevistas'),
};

/** One more language is one more line here. */
const WORDS: Record<string, Words> = { en: EN, es: ES };
export const hasWords = (language: string) => Object.hasOwn(WORDS, primary(language));
const wordsIn = (language: string) => WORDS[primary(language)] ?? EN;

/** A text and the direction that it is read in; 'auto' where its first letters tell. */
interface Text {
  text: string;
  direction: 'ltr' | 'rtl' | 'auto';
}

export const primary = (language: string) => language.toLowerCase().split(/[-_]/)[0] ?? '';
const RIGHT_TO_LEFT = new Set([
  'ar',
  'arc',
  'ckb',
  'dv',
  'fa',
  'he',
  'ks',
  'ps',
  'sd',
  'syr',
  'ug',
  'ur',
  'yi',
]);

export function languagesOf(sheet: CouponSheet): string[] {
  const wanted = sheet.languages.length > 0 ? sheet.languages : sheet.study.languages;
  return [...new Set(wanted.length > 0 ? wanted : ['en'])];
}

function dayIn(
  language: string,
  layout: CouponSheet['layout'],
  day: string | null | undefined,
): string | null {
  if (!day) return null;
  const at = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) throw new RangeError(`not a day: ${day}`);
  return new Intl.DateTimeFormat(language, {
    dateStyle: layout === 'page' ? 'long' : 'medium',
    timeZone: 'UTC',
  }).format(at);
}

/** 'en-GB' keeps its way to write a day; a language without words of its own is written in plain English. */
function validity(sheet: CouponSheet, language: string): string[] {
  const words = wordsIn(language);
  const locale = hasWords(language) ? language.replaceAll('_', '-') : 'en';
  const day = (at: string | null | undefined) => dayIn(locale, sheet.layout, at);
  const own = [day(sheet.validFrom), day(sheet.expiresOn)] as const;
  if (own[0] || own[1]) return [words.valid(...own)];
  const { days, afterHours } = sheet.fromHandingOut ?? { days: null, afterHours: 0 };
  const term = days !== null || afterHours > 0 ? [words.term(days, afterHours)] : [];
  // A card has room for one of the two.
  if (term.length > 0 && sheet.layout !== 'page') return term;
  const study = [day(sheet.study.dueFrom), day(sheet.study.dueTo)] as const;
  return study[0] || study[1] ? [...term, words.interviews(...study)] : term;
}

export interface SheetTexts {
  eyebrow: string;
  name: Text;
  texts: Text[];
  codeLabel: string;
  whereLabel: string;
  sites: { name: string; address: string }[];
  /** Whether the first of the sites is the one that gives these coupons. */
  issuing: boolean;
  questionsLabel: string;
  contact: string;
  validity: string[];
}

/** `site` is the place among the sheet's sites of the one that gives these coupons, or null. */
export function textsOf(sheet: CouponSheet, site: number | null): SheetTexts {
  const languages = languagesOf(sheet);
  const own = sheet.sites.filter((_, at) => at === site);
  const others = sheet.sites.filter((_, at) => at !== site);
  const each = (pick: (words: Words) => string) =>
    [...new Set(languages.map((language) => pick(wordsIn(language))))].join(' · ');
  return {
    eyebrow: each((words) => words[sheet.kind]),
    name: { text: sheet.study.name.trim(), direction: 'auto' },
    texts: languages.flatMap((language) => {
      const text = sheet.study.couponText[language]?.trim();
      if (!text) return [];
      return [{ text, direction: RIGHT_TO_LEFT.has(primary(language)) ? 'rtl' : 'auto' } as const];
    }),
    codeLabel: each((words) => words.code),
    whereLabel: each((words) => words.where),
    sites: [...own, ...others].map((one) => ({ name: one.name.trim(), address: one.address?.trim() ?? '' })),
    issuing: own.length > 0,
    questionsLabel: each((words) => words.questions),
    contact: sheet.study.contact.trim(),
    validity: [...new Set(languages.flatMap((language) => validity(sheet, language)))],
  };
}
