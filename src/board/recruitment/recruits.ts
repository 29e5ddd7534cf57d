/** Recruits per interview, and sites whose coupons aren't returned. */
import { DAY_MS } from '../../platform/lib/day.ts';
import { COUNTED, type Interviews, STORED } from '../../statistics/study-table/interviews.ts';
import { RETURN_DAYS } from './limits.ts';
import { forEachWithin, type Window } from './window.ts';

/** How many of the window's interviews had no recruit, one, two, and so on, wherever the recruits came. */
export function countByRecruits(
  interviews: Interviews,
  window: Window,
): { recruits: number; surveys: number }[] {
  const recruits = new Int32Array(interviews.size);
  for (let row = 0; row < interviews.size; row++)
    if (interviews.isPresent(row) && interviews.recruiter[row]! >= 0) recruits[interviews.recruiter[row]!]!++;
  const surveys = new Map<number, number>();
  forEachWithin(interviews, window, (row) => {
    if (interviews.is(row, COUNTED)) surveys.set(recruits[row]!, (surveys.get(recruits[row]!) ?? 0) + 1);
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
export function quietSites(interviews: Interviews, now: Date): QuietSite[] {
  const { size, recruiter, issued, heldAt, site } = interviews;
  const cameBack = new Uint8Array(size);
  for (let row = 0; row < size; row++)
    if (interviews.is(row, STORED) && recruiter[row]! >= 0) cameBack[recruiter[row]!] = 1;
  const [from, to] = [RETURN_DAYS.from, RETURN_DAYS.to].map((days) => now.getTime() - days * DAY_MS) as [
    number,
    number,
  ];
  const sites = site.values.map((id) => ({ site: id, due: 0, since: Number.POSITIVE_INFINITY, came: false }));
  for (let row = 0; row < size; row++) {
    if (!interviews.is(row, STORED) || issued[row] === 0) continue;
    if (!(heldAt[row]! >= from && heldAt[row]! <= to)) continue;
    const count = sites[site.codes[row]!]!;
    count.due += issued[row]!;
    count.since = Math.min(count.since, heldAt[row]!);
    if (cameBack[row]) count.came = true;
  }
  return sites
    .filter(({ due, came }) => due >= RETURN_DAYS.atLeast && !came)
    .map(({ site: id, due, since }) => ({ site: id, due, since: new Date(since) }));
}
