/** Coupons by state, by the site that handed them out, and by how long they took to be returned. */
import { DAY_MS } from '../../platform/lib/day.ts';
import { type CouponColumnStore, LIVE, RESERVED, USED, VOID } from '../../statistics/study-table/coupons.ts';
import { COUPON_RETURN_WINDOW } from './limits.ts';

export interface SiteCoupons {
  /** The id of a location. */
  site: string;
  issued: number;
  returned: number;
  /** Live coupons that haven't expired. */
  out: number;
  /** Coupons past their expiry (without voided ones), and how many of them were returned. */
  settled: number;
  settledReturned: number;
}

export function countCoupons(coupons: CouponColumnStore, now: Date) {
  const states = { reserved: 0, live: 0, returned: 0, expired: 0, void: 0 };
  const ofSeeds = { live: 0, returned: 0 };
  const returns = new Map<number, number>();
  for (let row = 0; row < coupons.size; row++) {
    const state = coupons.state[row]!;
    if (state === 0) continue;
    const days = coupons.daysOut[row]!;
    if (days >= 0) returns.set(days, (returns.get(days) ?? 0) + 1);
    if (state === RESERVED) states.reserved++;
    else if (state === VOID) states.void++;
    else if (state === LIVE && !coupons.isLive(row, now.getTime())) states.expired++;
    else {
      const name = state === LIVE ? 'live' : 'returned';
      states[name]++;
      if (coupons.ofSeed[row]) ofSeeds[name]++;
    }
  }
  return {
    coupons: { ...states, ofSeeds },
    daysToReturn: [...returns].sort(([a], [b]) => a - b).map(([days, n]) => ({ days, coupons: n })),
  };
}

/** By the site of the interview that handed them out, ordered by site id. */
export function couponCountsBySite(coupons: CouponColumnStore, now: Date): SiteCoupons[] {
  const { site } = coupons;
  const sites = site.values.map((id) => ({
    site: id,
    issued: 0,
    returned: 0,
    out: 0,
    settled: 0,
    settledReturned: 0,
  }));
  for (let row = 0; row < coupons.size; row++) {
    const state = coupons.state[row]!;
    if (state === 0) continue;
    const count = sites[site.codes[row]!]!;
    count.issued++;
    if (state === USED) count.returned++;
    const isSettled = isOverdue(coupons, row, now.getTime());
    if (state === LIVE && !isSettled) count.out++;
    if (!isSettled || (state !== LIVE && state !== USED)) continue;
    count.settled++;
    if (state === USED) count.settledReturned++;
  }
  return sites.filter((one) => one.site !== '' && one.issued > 0).sort((a, b) => (a.site < b.site ? -1 : 1));
}

/** A coupon without an expiry date counts as not returned after this many days. */
function isOverdue({ expiresAt, handedOutAt }: CouponColumnStore, row: number, now: number): boolean {
  if (!Number.isNaN(expiresAt[row])) return expiresAt[row]! <= now;
  return handedOutAt[row]! <= now - COUPON_RETURN_WINDOW.from * DAY_MS;
}
