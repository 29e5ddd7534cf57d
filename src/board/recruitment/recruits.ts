/** Recruits per interview, and sites whose coupons aren't returned. */
import { DAY_MS } from '../../platform/lib/day.ts';
import {
  COUNTED_BIT,
  type InterviewColumnStore,
  STORED_BIT,
} from '../../statistics/study-table/interviews.ts';
import { COUPON_RETURN_WINDOW } from './limits.ts';
import { forEachInterviewWithin, type SitePeriod } from './window.ts';

/** How many of the window's interviews had no recruit, one, two, and so on, wherever the recruits came. */
export function countByRecruits(
  interviews: InterviewColumnStore,
  window: SitePeriod,
): { recruits: number; surveys: number }[] {
  const recruits = new Int32Array(interviews.size);
  for (let row = 0; row < interviews.size; row++)
    if (interviews.isPresent(row) && interviews.recruiter[row]! >= 0) recruits[interviews.recruiter[row]!]!++;
  const surveys = new Map<number, number>();
  forEachInterviewWithin(interviews, window, (row) => {
    if (interviews.is(row, COUNTED_BIT)) surveys.set(recruits[row]!, (surveys.get(recruits[row]!) ?? 0) + 1);
  });
  return [...surveys].sort(([a], [b]) => a - b).map(([n, count]) => ({ recruits: n, surveys: count }));
}

interface QuietSite {
  site: string;
  /** Coupons that should start to be returned. */
  due: number;
  since: Date;
}

/** Includes deleted interviews: the coupons they handed out are still valid, and those they redeemed were returned. */
export function sitesWithoutReturns(interviews: InterviewColumnStore, now: Date): QuietSite[] {
  const { size, recruiter, issued, heldAt, site } = interviews;
  const cameBack = new Uint8Array(size);
  for (let row = 0; row < size; row++)
    if (interviews.is(row, STORED_BIT) && recruiter[row]! >= 0) cameBack[recruiter[row]!] = 1;
  const [from, to] = [COUPON_RETURN_WINDOW.from, COUPON_RETURN_WINDOW.to].map(
    (days) => now.getTime() - days * DAY_MS,
  ) as [number, number];
  const sites = site.values.map((id) => ({ site: id, due: 0, since: Number.POSITIVE_INFINITY, came: false }));
  for (let row = 0; row < size; row++) {
    if (!interviews.is(row, STORED_BIT) || issued[row] === 0) continue;
    if (!(heldAt[row]! >= from && heldAt[row]! <= to)) continue;
    const count = sites[site.codes[row]!]!;
    count.due += issued[row]!;
    count.since = Math.min(count.since, heldAt[row]!);
    if (cameBack[row]) count.came = true;
  }
  return sites
    .filter(({ due, came }) => due >= COUPON_RETURN_WINDOW.atLeast && !came)
    .map(({ site: id, due, since }) => ({ site: id, due, since: new Date(since) }));
}
