/** A sheet of coupons as the study wants it: its texts, its languages, its sites. */
import type { Types } from 'mongoose';
import { type Fault, fault } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import type { Asker } from '../http/work-queue.ts';
import { dayName } from '../lib/day.ts';
import { languageInFull } from '../lib/language-name.ts';
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
  /** Where the study names none. */
  timeZone: string;
  onProgress?(done: number): void;
}

/** In English the languages are named; a reader of another one names them by their tags. */
function lacking(language: string, has: string[]): Fault {
  const named = { language: languageInFull(language) };
  if (has.length === 0) return { ...fault('NO_COUPON_TEXTS', named), params: { language } };
  const languages = has.map(languageInFull).join(', ');
  return {
    ...fault('NO_COUPON_TEXT', { ...named, languages }),
    params: { language, languages: has.join(', ') },
  };
}

/**
 * Refuses what could not be printed before any code is made; `codes` is still empty. `notes` tell what of it will not
 * be on paper, and whoever prints is to see them.
 */
export async function sheetOfStudy(
  wish: SheetWish,
  /** The site that gives the coupons, named first on the paper: one for all, or one for each. */
  issuedBy: (Types.ObjectId | null)[],
  by?: Asker,
): Promise<{ sheet: CouponSheet; notes: Fault[] }> {
  const [settings, locations] = await Promise.all([study(), listLocations()]);
  const { name, contact, contacts, couponText, languages, dueFrom, dueTo } = settings;
  const { couponValidDays: days, couponStartsAfterHours: afterHours } = settings;
  for (const language of wish.languages.length > 0 ? wish.languages : languages) {
    if (couponText[language]?.trim()) continue;
    const has = Object.keys(couponText).filter((one) => couponText[one]?.trim());
    throw problem('VALIDATION_ERROR', { errors: [{ path: 'languages', ...lacking(language, has) }] });
  }
  const sites = locations.map((one) => ({ name: one.name, address: one.address }));
  const place = new Map(locations.map((one, at) => [String(one._id), at]));
  const { timeZone, ...wishes } = wish;
  const sheet: CouponSheet = {
    ...wishes,
    today: dayName(new Date(), settings.timeZone ?? timeZone),
    codes: [],
    study: { name, contact, contacts, couponText, languages, dueFrom, dueTo },
    sites,
    issuedAt: issuedBy.map((site) => place.get(String(site)) ?? null),
    // A seed's own code is good at once and for ever.
    ...(wish.kind === 'coupon' && { fromHandingOut: { days, afterHours } }),
  };
  const { onProgress, ...plain } = sheet;
  const { refused, notes } = await examine(plain, by);
  if (refused) throw problem('VALIDATION_ERROR', { errors: [{ path: 'study', ...refused }] });
  return { sheet, notes };
}
