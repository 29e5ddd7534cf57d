/** What can be said of a sheet before there are codes: why it can't be printed, and what of it will not be on paper. */
import PDFDocument from 'pdfkit';
import { type Fault, fault } from '../http/faults.ts';
import { languageInFull } from '../lib/language-name.ts';
import { card, stickyLabel } from './card.ts';
import type { Composition } from './composition.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import { Faces } from './faces.ts';
import { gridFor } from './paper.ts';
import type { Cut } from './paragraphs.ts';
import { poster } from './poster.ts';
import { quietShare } from './qr.ts';
import { hasWords, languagesOf, textsOf } from './words.ts';

export interface Examination {
  /** Why the sheet can't be printed; null where it can. */
  refused: Fault | null;
  /** What is left out or cut. */
  notes: Fault[];
}

const COMPOSE = { page: poster, cards: card, labels: stickyLabel };
const CUT = {
  name: 'CUT_NAME',
  validity: 'CUT_VALIDITY',
  words: 'CUT_WORDS',
  contact: 'CUT_CONTACT',
  text: 'CUT_TEXT',
} as const;

/** In English the language is named; a reader of another one names it by its tag. */
function cutShort({ part, language, text }: Cut): Fault[] {
  if (!(part in CUT)) return [];
  const code = CUT[part as keyof typeof CUT];
  if (language === undefined) return [fault(code, { text, language: '' })];
  return [{ ...fault(code, { text, language: languageInFull(language) }), params: { text, language } }];
}

const LETTER = /[\p{L}\p{Nd}]/u;

export function examineSheet(sheet: CouponSheet): Examination {
  const faces = new Faces(new PDFDocument({ autoFirstPage: false }));
  const missing = unprintable(sheet, faces);
  if (missing.length > 0) return refusal(fault('NO_TYPEFACE', { letters: missing.join(' ') }));
  const leftOut = new Set<string>();
  const cut = new Map<string, Fault>();
  for (const site of new Set(sheet.issuedAt)) {
    const composition = compose(faces, sheet, site);
    if (composition.cut.some(({ part }) => part === 'site'))
      return refusal(fault('NO_ROOM', { site: sheet.sites[site ?? 0]?.name ?? '' }));
    for (const one of composition.cut.flatMap(cutShort)) cut.set(one.message, one);
    for (const name of composition.sitesLeftOut) leftOut.add(`“${name}”`);
  }
  const sites = [...leftOut].join(', ');
  const notes = [
    ...languagesOf(sheet)
      .filter((language) => !hasWords(language))
      .map((language) => ({
        ...fault('WORDS_IN_ENGLISH', { language: languageInFull(language) }),
        // A reader of another language names it otherwise.
        params: { language },
      })),
    ...glyphless(sheet, faces),
    ...cut.values(),
    ...notOnLabels(sheet),
    ...(leftOut.size > 0 ? [fault(leftOut.size === 1 ? 'SITE_LEFT_OUT' : 'SITES_LEFT_OUT', { sites })] : []),
    ...over(sheet),
  ];
  return { refused: null, notes };
}

/** Sticky labels are too small for the study's own words, and for addresses. */
function notOnLabels(sheet: CouponSheet): Fault[] {
  if (sheet.layout !== 'labels') return [];
  const { texts, sites } = textsOf(sheet, null);
  return texts.length > 0 || sites.some(({ address }) => address !== '') ? [fault('NOT_ON_LABELS')] : [];
}

/** The study's days inform only, so that such a sheet is printed all the same. */
function over({ study: { dueTo }, validFrom, expiresOn, today }: CouponSheet): Fault[] {
  const last = expiresOn ?? (validFrom ? null : dueTo);
  return last && today && last.slice(0, 10) < today
    ? [fault(expiresOn ? 'COUPON_DAYS_OVER' : 'INTERVIEWS_OVER', { day: last.slice(0, 10) })]
    : [];
}

const refusal = (refused: Fault): Examination => ({ refused, notes: [] });

/** Everything of one coupon; `site` as in `issuedAt`. */
export function compose(faces: Faces, sheet: CouponSheet, site: number | null): Composition {
  const quiet = quietShare(addressOf(sheet, '00000000'));
  return COMPOSE[sheet.layout](faces, textsOf(sheet, site), gridFor(sheet), quiet);
}

export const addressOf = ({ publicUrl }: CouponSheet, code: string) =>
  `${publicUrl.replace(/\/+$/, '')}/c/${code}`;

/** Letters and digits of the study's own texts that no typeface here can draw, each once: such a sheet is refused. */
export function unprintable(sheet: CouponSheet, faces: Faces): string[] {
  const texts = textsOf(sheet, null);
  const all = [texts.name, ...texts.texts, ...texts.contacts].map(({ text }) => text);
  const missing = [...all, ...texts.validity].flatMap((text) => faces.missing(text));
  return [...new Set(missing)].filter((cluster) => LETTER.test(cluster));
}

/** What else can't be drawn, by where it stands: letters of a site, symbols and emoji anywhere. */
function glyphless(sheet: CouponSheet, faces: Faces): Fault[] {
  const texts = textsOf(sheet, null);
  const missingIn = (...all: string[]) => [...new Set(all.flatMap((text) => faces.missing(text)))].join(' ');
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
