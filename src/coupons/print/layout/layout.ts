/** The layout of one coupon. Everything except the code and its QR code is the same for all coupons of a sheet. */

import type { SheetTexts } from '../sheet-texts.ts';
import type { OmittedText, PrintedLine } from './text-layout.ts';

export interface LaidOutCoupon {
  lines: PrintedLine[];
  rules: { x: number; y: number; width: number }[];
  /** The square of the QR code, including its quiet zone. */
  qr: { x: number; y: number; side: number };
  code: { x: number; baseline: number; size: number };
  cuts: OmittedText[];
  /** Sites that didn't fit. */
  sitesLeftOut: string[];
}

/** No paper has room for more, and laying out thousands would take long. */
const MAX_SITES = 120;

export type ArrangeCoupon = (texts: SheetTexts) => Omit<LaidOutCoupon, 'sitesLeftOut'>;

/** Lays out the issuing site and as many of the others as fit completely. */
export function layoutCouponWithSites(texts: SheetTexts, arrange: ArrangeCoupon): LaidOutCoupon {
  const names = texts.sites.map(({ name }) => name);
  const min = texts.issuing ? 1 : 0;
  const some = (count: number) => arrange({ ...texts, sites: texts.sites.slice(0, count) });
  if (names.length <= MAX_SITES) {
    const all = some(names.length);
    if (all.cuts.length === 0 || names.length <= min) return { ...all, sitesLeftOut: [] };
  }
  // Ignore texts that are cut even without other sites.
  const cutAnyway = new Set(some(min).cuts.map(({ part }) => part));
  const fits = (count: number) =>
    some(count).cuts.every(({ part }) => part !== 'sites' && cutAnyway.has(part));
  let max = min;
  let fails = Math.min(names.length, MAX_SITES) + 1;
  // Search upward, because usually only a few fit.
  for (let next = max + 1; next < fails; next = Math.min(2 * next, fails - 1)) {
    if (!fits(next)) fails = next;
    else if (next === max) break;
    else max = next;
  }
  while (fails - max > 1) {
    const middle = Math.floor((max + fails) / 2);
    if (fits(middle)) max = middle;
    else fails = middle;
  }
  return { ...some(max), sitesLeftOut: names.slice(max) };
}

export interface PaperSize {
  width: number;
  height: number;
}
