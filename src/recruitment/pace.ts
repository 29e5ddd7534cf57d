/** Where the study stands: pace against target and end date, what the coupons that are out will bring, and what to do. */
import { study } from '../study/model.ts';
import { type NoForecast, type Outlook, outlookOf } from './forecast.ts';
import { type AskedAt, type Held, heldNow } from './held.ts';
import type { Advice } from './pace-schema.ts';

/** A rate of return from fewer coupons is a guess. */
const FEWEST_SETTLED = 10;

export async function paceOf(asked: AskedAt, site: string | null, maxAge?: number) {
  const [held, { targetSampleSize, endsOn }] = await Promise.all([heldNow(asked, maxAge), wishes()]);
  // The target is the whole study's.
  const target = site === null ? targetSampleSize : null;
  const byDay = countedByDay(held, site);
  const { total, ...outlook } = outlookOf({ byDay, today: held.today, target, endsOn });
  const missing = target === null ? null : Math.max(0, target - total);
  const coupons = couponsOf(held, site, total);
  return {
    asOf: held.asOf,
    timeZone: asked.zone,
    day: held.today,
    location: site,
    target,
    endsOn,
    total,
    missing,
    ...outlook,
    byDay: [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, surveys]) => ({ day, surveys })),
    coupons,
    advice: adviceFor({ target, missing, endsOn, coupons, total, ...outlook }),
  };
}

/** A target without a day of its own is to be met by the last day of the interviews. */
async function wishes() {
  const { targetSampleSize, endsOn, dueTo } = await study();
  return { targetSampleSize, endsOn: endsOn ?? dueTo };
}

function countedByDay({ rows }: Held, site: string | null): Map<string, number> {
  const byDay = new Map<string, number>();
  for (const row of rows)
    if (row.counts && (site === null || row.site === site))
      byDay.set(row.day, (byDay.get(row.day) ?? 0) + row.surveys);
  return byDay;
}

function couponsOf({ coupons }: Held, site: string | null, total: number) {
  const some = coupons.filter((one) => site === null || one.site === site);
  const sum = (field: 'issued' | 'out' | 'settled' | 'settledReturned') =>
    some.reduce((all, one) => all + one[field], 0);
  const [issued, out, settled, returned] = [
    sum('issued'),
    sum('out'),
    sum('settled'),
    sum('settledReturned'),
  ];
  const returnRate = settled < FEWEST_SETTLED ? null : returned / settled;
  return {
    issued,
    out,
    settled,
    returned,
    returnRate,
    expected: returnRate === null ? null : Math.round(out * returnRate),
    recruitsEach: returnRate === null || total === 0 ? null : (issued / total) * returnRate,
  };
}

interface Situation extends Omit<Outlook, 'noForecast'> {
  target: number | null;
  missing: number | null;
  endsOn: string | null;
  noForecast: NoForecast | null;
  coupons: ReturnType<typeof couponsOf>;
}

/** The most pressing thing alone. */
export function adviceFor({ target, missing, endsOn, coupons, forecast, noForecast }: Situation): Advice {
  if (target === null || missing === null) return 'NO_TARGET';
  if (missing === 0) return 'DONE';
  if (coupons.expected !== null && coupons.expected > missing) return 'FEWER_COUPONS';
  if (noForecast === 'NONE_LATELY') return 'MORE_SEEDS';
  if (!forecast) return 'TOO_EARLY';
  if (endsOn === null) return 'NO_END_DATE';
  if (forecast.atEnd && forecast.atEnd.expected >= target) return 'ON_PACE';
  return coupons.recruitsEach !== null && coupons.recruitsEach < 1 ? 'MORE_SEEDS' : 'BEHIND';
}
