/** The layout of one coupon. Everything except the code and its QR code is the same for all coupons of a sheet. */

import type { SheetTexts } from '../sheet-texts.ts';
import type { PrintedLine, TextCut } from './text-layout.ts';

export interface Layout {
  lines: PrintedLine[];
  rules: { x: number; y: number; width: number }[];
  /** The square of the QR code, including its quiet zone. */
  qr: { x: number; y: number; side: number };
  code: { x: number; baseline: number; size: number };
  cuts: TextCut[];
  /** Sites that didn't fit. */
  sitesLeftOut: string[];
}

/** No paper has room for more, and laying out thousands would take long. */
const MAX_SITES = 120;

export type ArrangeLayout = (texts: SheetTexts) => Omit<Layout, 'sitesLeftOut'>;

/** Lays out the issuing site and as many of the others as fit completely. */
export function layoutWithSites(texts: SheetTexts, arrange: ArrangeLayout): Layout {
  const names = texts.sites.map(({ name }) => name);
  const fewest = texts.issuing ? 1 : 0;
  const some = (count: number) => arrange({ ...texts, sites: texts.sites.slice(0, count) });
  if (names.length <= MAX_SITES) {
    const all = some(names.length);
    if (all.cuts.length === 0 || names.length <= fewest) return { ...all, sitesLeftOut: [] };
  }
  // Ignore texts that are cut even without other sites.
  const cutAnyway = new Set(some(fewest).cuts.map(({ part }) => part));
  const fits = (count: number) =>
    some(count).cuts.every(({ part }) => part !== 'sites' && cutAnyway.has(part));
  let most = fewest;
  let fails = Math.min(names.length, MAX_SITES) + 1;
  // Search upward, because usually only a few fit.
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

export interface PaperSize {
  width: number;
  height: number;
}
