/** Where everything of one coupon stands. All but the code and its QR is the same for each coupon of a sheet. */
import type { Cut, Line } from './paragraphs.ts';
import type { SheetTexts } from './words.ts';

export interface Composition {
  lines: Line[];
  rules: { x: number; y: number; width: number }[];
  /** The square of the QR, its quiet zone included. */
  qr: { x: number; y: number; side: number };
  code: { x: number; baseline: number; size: number };
  cut: Cut[];
  /** These have no room at all. */
  sitesLeftOut: string[];
}

/** No paper has room for more, and setting thousands only to leave them out takes long. */
const MOST_SITES = 120;

export type Arrange = (texts: SheetTexts) => Omit<Composition, 'sitesLeftOut'>;

/** The site that gives the coupons, and as many of the others as fit: a site stands there whole, or not at all. */
export function withSites(texts: SheetTexts, arrange: Arrange): Composition {
  const names = texts.sites.map(({ name }) => name);
  const fewest = texts.issuing ? 1 : 0;
  const some = (count: number) => arrange({ ...texts, sites: texts.sites.slice(0, count) });
  if (names.length <= MOST_SITES) {
    const all = some(names.length);
    if (all.cut.length === 0 || names.length <= fewest) return { ...all, sitesLeftOut: [] };
  }
  // Only what sites bring about: a text that is too long in any case leaves them where they are.
  const bearable = new Set(some(fewest).cut.map(({ part }) => part));
  const fits = (count: number) => some(count).cut.every(({ part }) => part !== 'sites' && bearable.has(part));
  let most = fewest;
  let fails = Math.min(names.length, MOST_SITES) + 1;
  // Few fit as a rule, and few are set sooner than many.
  for (let next = most + 1; next < fails; next = Math.min(2 * next, fails - 1)) {
    if (!fits(next)) fails = next;
    else if (next === most) break;
    else most = next;
  }
  while (fails - most > 1) {
    const middle = Math.floor((most + fails) / 2);
    if (fits(middle)) most = middle;
    else fails = middle;
  }
  return { ...some(most), sitesLeftOut: names.slice(most) };
}

export interface Size {
  width: number;
  height: number;
}
