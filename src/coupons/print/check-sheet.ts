/** Checks a sheet before codes are created: why it can't be printed, and what would be left out. */
import PDFDocument from 'pdfkit';
import { type CodedError, fault } from '../../platform/http/problems/error-codes.ts';
import { languageNameWithTag } from '../../platform/lib/languages/language-name.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import { layoutCard, layoutCouponLabel } from './layout/card-layout.ts';
import { Fonts } from './layout/fonts.ts';
import type { LaidOutCoupon } from './layout/layout.ts';
import { layoutPage } from './layout/page-layout.ts';
import { quietZoneShare } from './layout/qr.ts';
import type { OmittedText } from './layout/text-layout.ts';
import { paperGridFor } from './paper.ts';
import { couponSheetLanguages, couponSheetTexts, isPrintLanguage } from './sheet-texts.ts';

export interface CouponPrintCheck {
  /** Why the sheet can't be printed; null if it can. */
  refused: CodedError | null;
  /** What would be left out or cut. */
  notes: CodedError[];
}

const COMPOSE = { page: layoutPage, cards: layoutCard, labels: layoutCouponLabel };
const CUT_FAULTS = {
  name: 'CUT_NAME',
  validity: 'CUT_VALIDITY',
  words: 'CUT_WORDS',
  contact: 'CUT_CONTACT',
  text: 'CUT_TEXT',
} as const;

/** The English message has the language's name; clients translate it from the tag in `params`. */
function cutTextFaults({ part, language, text }: OmittedText): CodedError[] {
  if (!(part in CUT_FAULTS)) return [];
  const code = CUT_FAULTS[part as keyof typeof CUT_FAULTS];
  if (language === undefined) return [fault(code, { text, language: '' })];
  return [{ ...fault(code, { text, language: languageNameWithTag(language) }), params: { text, language } }];
}

const LETTER = /[\p{L}\p{Nd}]/u;

export function checkCouponSheet(sheet: CouponSheet): CouponPrintCheck {
  const fonts = new Fonts(new PDFDocument({ autoFirstPage: false }));
  const missing = unprintableCharacters(sheet, fonts);
  if (missing.length > 0) return refusal(fault('NO_TYPEFACE', { letters: missing.join(' ') }));
  const leftOut = new Set<string>();
  const shortened = new Map<string, CodedError>();
  for (const site of new Set(sheet.issuedAt)) {
    const composition = layoutCoupon(fonts, sheet, site);
    if (composition.cuts.some(({ part }) => part === 'site'))
      return refusal(fault('NO_ROOM', { site: sheet.sites[site ?? 0]?.name ?? '' }));
    for (const one of composition.cuts.flatMap(cutTextFaults)) shortened.set(one.message, one);
    for (const name of composition.sitesLeftOut) leftOut.add(`“${name}”`);
  }
  const sites = [...leftOut].join(', ');
  const notes = [
    ...couponSheetLanguages(sheet)
      .filter((language) => !isPrintLanguage(language))
      .map((language) => ({
        ...fault('WORDS_IN_ENGLISH', { language: languageNameWithTag(language) }),
        // Clients need the tag to translate the message.
        params: { language },
      })),
    ...missingGlyphs(sheet, fonts),
    ...shortened.values(),
    ...labelFaults(sheet),
    ...(leftOut.size > 0 ? [fault(leftOut.size === 1 ? 'SITE_LEFT_OUT' : 'SITES_LEFT_OUT', { sites })] : []),
    ...expiredDates(sheet),
  ];
  return { refused: null, notes };
}

/** Sticky labels are too small for the study's texts and for addresses. */
function labelFaults(sheet: CouponSheet): CodedError[] {
  if (sheet.layout !== 'labels') return [];
  const { texts, sites } = couponSheetTexts(sheet, null);
  return texts.length > 0 || sites.some(({ address }) => address !== '') ? [fault('NOT_ON_LABELS')] : [];
}

/** Only notes: a sheet with past dates is printed anyway. */
function expiredDates({ study: { dueTo }, validFrom, expiresOn, today }: CouponSheet): CodedError[] {
  const last = expiresOn ?? (validFrom ? null : dueTo);
  return last && today && last.slice(0, 10) < today
    ? [fault(expiresOn ? 'COUPON_DAYS_OVER' : 'INTERVIEWS_OVER', { day: last.slice(0, 10) })]
    : [];
}

const refusal = (refused: CodedError): CouponPrintCheck => ({ refused, notes: [] });

/** The layout of one coupon; `site` as in `issuedAt`. */
export function layoutCoupon(fonts: Fonts, sheet: CouponSheet, site: number | null): LaidOutCoupon {
  const quietZone = quietZoneShare(codeUrl(sheet, '00000000'));
  return COMPOSE[sheet.layout](fonts, couponSheetTexts(sheet, site), paperGridFor(sheet), quietZone);
}

export const codeUrl = ({ publicUrl }: CouponSheet, code: string) =>
  `${publicUrl.replace(/\/+$/, '')}/c/${code}`;

/** Letters and digits in the study's texts that no font has; such a sheet is refused. */
export function unprintableCharacters(sheet: CouponSheet, fonts: Fonts): string[] {
  const texts = couponSheetTexts(sheet, null);
  const all = [texts.name, ...texts.texts, ...texts.contacts].map(({ text }) => text);
  const missing = [...all, ...texts.validity].flatMap((text) => fonts.missing(text));
  return [...new Set(missing)].filter((cluster) => LETTER.test(cluster));
}

/** Other characters that no font has: letters in site names, symbols and emoji. These only cause notes. */
function missingGlyphs(sheet: CouponSheet, fonts: Fonts): CodedError[] {
  const texts = couponSheetTexts(sheet, null);
  const missingIn = (...all: string[]) => [...new Set(all.flatMap((text) => fonts.missing(text)))].join(' ');
  const [ofStudy, ofContact, ofText] = [
    missingIn(texts.name.text),
    missingIn(...texts.contacts.map(({ text }) => text)),
    missingIn(...texts.texts.map(({ text }) => text)),
  ];
  return [
    ...(ofStudy ? [fault('LETTERS_OF_STUDY', { letters: ofStudy })] : []),
    ...(ofContact ? [fault('LETTERS_OF_CONTACT', { letters: ofContact })] : []),
    ...(ofText ? [fault('LETTERS_OF_TEXT', { letters: ofText })] : []),
    ...texts.sites.flatMap(({ name: site, address }) => {
      const [ofName, ofAddress] = [missingIn(site), missingIn(address)];
      return [
        ...(ofName ? [fault('LETTERS_OF_SITE', { letters: ofName, site })] : []),
        ...(ofAddress ? [fault('LETTERS_OF_ADDRESS', { letters: ofAddress, site })] : []),
      ];
    }),
  ];
}
