/** A sheet of coupons as the study wants it: its texts, its languages, its sites. */
import type { Types } from 'mongoose';
import { fieldProblem } from '../http/problem.ts';
import { listLocations } from '../locations/find.ts';
import { study } from '../study/model.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import { examine } from './press.ts';

export interface SheetWish {
  kind: CouponSheet['kind'];
  layout: CouponSheet['layout'];
  paper: CouponSheet['paper'];
  /** None: all of the study's. */
  languages: string[];
  publicUrl: string;
  onProgress?(done: number): void;
}

/** Refuses what could not be printed before any code is made. `codes` is still empty. */
export async function sheetOfStudy(
  wish: SheetWish,
  /** Named first on the paper. */
  site: Types.ObjectId | null,
): Promise<CouponSheet> {
  const [settings, locations] = await Promise.all([study(), listLocations()]);
  const { name, contact, couponText, languages, dueFrom, dueTo } = settings;
  const { couponValidDays: days, couponStartsAfterHours: afterHours } = settings;
  for (const language of wish.languages) {
    if (couponText[language]) continue;
    const has = Object.keys(couponText).join(', ') || 'none';
    throw fieldProblem('languages', `The study has no text for coupons in ${language} (it has ${has}).`);
  }
  const sites = locations
    .sort((a, b) => Number(b._id.equals(site ?? '')) - Number(a._id.equals(site ?? '')))
    .map((one) => ({ name: one.name, address: one.address }));
  const sheet: CouponSheet = {
    ...wish,
    codes: [],
    study: { name, contact, couponText, languages, dueFrom, dueTo },
    sites,
    // A seed's own code is good at once and for ever.
    ...(wish.kind === 'coupon' && { fromHandingOut: { days, afterHours } }),
  };
  const { onProgress, ...plain } = sheet;
  const { refused } = await examine(plain);
  if (refused) throw fieldProblem('study', refused);
  return sheet;
}
