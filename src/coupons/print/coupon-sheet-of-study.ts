/** Creates a sheet of coupons from the study's settings: its texts, languages and sites. */
import type { Types } from 'mongoose';
import type { CallerId } from '../../platform/http/limits/work-queue.ts';
import { type CodedError, fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { languageNameWithTag } from '../../platform/lib/languages/language-name.ts';
import { listLocations } from '../../study/locations/find.ts';
import { loadStudy } from '../../study/settings/model.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import { checkCouponSheet } from './print.ts';

export interface CouponSheetOptions {
  kind: CouponSheet['kind'];
  layout: CouponSheet['layout'];
  paper: CouponSheet['paper'];
  /** Empty for all of the study's languages. */
  languages: string[];
  publicUrl: string;
  /** Used if the study has no time zone. */
  timeZone: string;
  onProgress?(couponCount: number): void;
}

/** The English message has the languages' names; clients translate them from their tags. */
function missingText(language: string, has: string[]): CodedError {
  const languageName = { language: languageNameWithTag(language) };
  if (has.length === 0) return { ...fault('NO_COUPON_TEXTS', languageName), params: { language } };
  const languages = has.map(languageNameWithTag).join(', ');
  return {
    ...fault('NO_COUPON_TEXT', { ...languageName, languages }),
    params: { language, languages: has.join(', ') },
  };
}

/**
 * Throws if the sheet can't be printed, before any code is created; `codes` is still empty. `notes` lists what would be
 * left out, which must be shown to the user.
 */
export async function couponSheetOfStudy(
  request: CouponSheetOptions,
  /** The issuing sites, which are printed first: one for all coupons, or one for each. */
  issuedBy: (Types.ObjectId | null)[],
  by?: CallerId,
): Promise<{ sheet: CouponSheet; notes: CodedError[] }> {
  const [settings, locations] = await Promise.all([loadStudy(), listLocations()]);
  const { name, contact, contactTexts, couponText, languages, dueFrom, dueTo } = settings;
  const { couponValidDays: days, couponStartsAfterHours: afterHours } = settings;
  const has = Object.keys(couponText).filter((one) => couponText[one]?.trim());
  for (const language of request.languages.length > 0 ? request.languages : languages) {
    if (has.includes(language)) continue;
    throw problem('VALIDATION_ERROR', { errors: [{ path: 'languages', ...missingText(language, has) }] });
  }
  const sites = locations.map((one) => ({ name: one.name, address: one.address }));
  const place = new Map(locations.map((one, at) => [String(one._id), at]));
  const { timeZone, ...wishes } = request;
  const sheet: CouponSheet = {
    ...wishes,
    today: isoDateAt(new Date(), settings.timeZone ?? timeZone),
    codes: [],
    study: { name, contact, contactTexts, couponText, languages, dueFrom, dueTo },
    sites,
    issuedAt: issuedBy.map((site) => place.get(String(site)) ?? null),
    // A seed's own code is always valid.
    ...(request.kind === 'coupon' && { fromHandingOut: { days, afterHours } }),
  };
  const { onProgress, ...plain } = sheet;
  const { refused, notes } = await checkCouponSheet(plain, by);
  if (refused) throw problem('VALIDATION_ERROR', { errors: [{ path: 'study', ...refused }] });
  return { sheet, notes };
}
