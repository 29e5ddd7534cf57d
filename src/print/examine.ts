/** What can be said of a sheet before there are codes: why it can't be printed, and what of it will not be on paper. */
import PDFDocument from 'pdfkit';
import { type Fault, fault } from '../http/faults.ts';
import { languageInFull } from '../lib/language-name.ts';
import { card, stickyLabel } from './card.ts';
import type { Composition } from './composition.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import { Faces } from './faces.ts';
import { gridFor } from './paper.ts';
import type { Part } from './paragraphs.ts';
import { poster } from './poster.ts';
import { quietShare } from './qr.ts';
import { hasWords, languagesOf, textsOf } from './words.ts';

export interface Examination {
  /** Why the sheet can't be printed; null where it can. */
  refused: Fault | null;
  /** What is left out or cut, a sentence each. */
  notes: string[];
}

const COMPOSE = { page: poster, cards: card, labels: stickyLabel };
const NAMES: Partial<Record<Part, string>> = {
  name: 'The name of the study',
  validity: 'How long a coupon is good',
  words: 'The fixed words',
  contact: 'The contact',
  text: 'The text for coupons',
};
const LETTER = /[\p{L}\p{Nd}]/u;

export function examineSheet(sheet: CouponSheet): Examination {
  const faces = new Faces(new PDFDocument({ autoFirstPage: false }));
  const missing = unprintable(sheet, faces);
  if (missing.length > 0) return refusal(fault('NO_TYPEFACE', { letters: missing.join(' ') }));
  const leftOut = new Set<string>();
  const cut = new Set<Part>();
  for (const site of new Set(sheet.issuedAt)) {
    const composition = compose(faces, sheet, site);
    if (composition.cut.includes('site'))
      return refusal(fault('NO_ROOM', { site: sheet.sites[site ?? 0]?.name ?? '' }));
    for (const part of composition.cut) cut.add(part);
    for (const name of composition.sitesLeftOut) leftOut.add(`“${name}”`);
  }
  const cutShort = [...cut].flatMap((part) => NAMES[part] ?? []);
  const notes = [
    ...languagesOf(sheet)
      .filter((language) => !hasWords(language))
      .map(
        (language) =>
          `“Where to go” and the like stand in English: there are no such words in ${languageInFull(language)}.`,
      ),
    ...[...glyphless(sheet, faces)].map(
      ([where, what]) => `No typeface for ${what.join(' ')} in ${where}: left out.`,
    ),
    ...cutShort.map((what) => `${what} does not fit and is cut short. A larger layout may have room.`),
    ...(leftOut.size > 0
      ? [`No room for ${leftOut.size === 1 ? 'this site' : 'these sites'}: ${[...leftOut].join(', ')}.`]
      : []),
  ];
  return { refused: null, notes };
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
  const all = [texts.name, ...texts.texts].map(({ text }) => text);
  const missing = [...all, texts.contact, ...texts.validity].flatMap((text) => faces.missing(text));
  return [...new Set(missing)].filter((cluster) => LETTER.test(cluster));
}

/** What else can't be drawn, by where it stands: letters of a site, symbols and emoji anywhere. */
function glyphless(sheet: CouponSheet, faces: Faces): Map<string, string[]> {
  const texts = textsOf(sheet, null);
  const places: [string, string][] = [
    ['the name of the study', texts.name.text],
    ['the contact', texts.contact],
    ...texts.texts.map(({ text }): [string, string] => ['the text for coupons', text]),
    ...texts.sites.flatMap(({ name, address }): [string, string][] => [
      [`the name of the site “${name}”`, name],
      [`the address of the site “${name}”`, address],
    ]),
  ];
  const found = new Map<string, string[]>();
  for (const [where, text] of places) {
    const missing = new Set([...(found.get(where) ?? []), ...faces.missing(text)]);
    if (missing.size > 0) found.set(where, [...missing]);
  }
  return found;
}
