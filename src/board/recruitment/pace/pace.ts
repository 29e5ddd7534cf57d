/**
 * Progress of the study: pace compared with target and end date, expected returns of outstanding coupons, and advice.
 */
import { dayNumberIn, dayOfNumber } from '../../../platform/lib/day.ts';
import { queryStudyTable } from '../../../statistics/study-table/ask.ts';
import { createStudyTableQuery } from '../../../statistics/study-table/table-query.ts';
import { loadStudyAsOfRound } from '../../../study/rounds/requested.ts';
import { couponCountsBySite, type SiteCoupons } from '../coupons.ts';
import { type RecruitmentQueryContext, UNBOUNDED_WINDOW } from '../window.ts';
import { dailyCounts } from './daily-counts.ts';
import { outlookOf, type PaceFigures } from './forecast.ts';
import type { Pace, PaceAdvice } from './pace-schema.ts';

/** With fewer expired coupons, a return rate would be a guess. */
const MIN_SETTLED_COUPONS = 10;

/** A closed round has no forecast. */
const CLOSED_ROUND_PACE = {
  ...{ pace: null, daysLeft: null, neededPerDay: null, forecast: null },
  noForecast: 'NO_OPEN_ROUND',
} as const;

interface PaceArgs extends RecruitmentQueryContext {
  /** Id of a location; null for the whole study. */
  site: string | null;
  target: number | null;
  endsOn: string | null;
}

export async function paceOf(context: RecruitmentQueryContext, site: string | null, by?: string) {
  const { targetSampleSize, endsOn, dueTo } = await loadStudyAsOfRound(context.round?.id);
  // The target is for the whole study. Without an end date, it should be met by the last day of interviews.
  const goal = { target: site === null ? targetSampleSize : null, endsOn: endsOn ?? dueTo };
  return await queryStudyTable(paceFromStudyTable, { ...context, site, ...goal }, by);
}

export const paceFromStudyTable = createStudyTableQuery(
  'pace',
  ({ interviews, coupons: all }, { now, zone, round, site, target, endsOn }: PaceArgs) => {
    const byDay = new Map<string, number>();
    for (const { day, counted } of dailyCounts(interviews, { ...UNBOUNDED_WINDOW, site }, zone))
      if (counted > 0) byDay.set(dayOfNumber(day), (byDay.get(dayOfNumber(day)) ?? 0) + counted);
    const today = dayOfNumber(dayNumberIn(zone)(now.getTime()));
    const isClosed = round !== undefined && round.closedAt !== null;
    const { total, ...open } = outlookOf({ byDay, today, target, endsOn });
    const outlook = isClosed ? { ...open, ...CLOSED_ROUND_PACE } : open;
    const missing = target === null ? null : Math.max(0, target - total);
    const ofSites = couponCountsBySite(all, now).filter((one) => site === null || one.site === site);
    const coupons = couponsOf(ofSites, total);
    return {
      asOf: now,
      timeZone: zone,
      day: today,
      location: site,
      target,
      endsOn,
      total,
      missing,
      ...outlook,
      byDay: [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, surveys]) => ({ day, surveys })),
      coupons,
      advice: isClosed
        ? 'ROUND_CLOSED'
        : recruitmentAdviceFor({ target, missing, endsOn, coupons, total, ...outlook }),
    };
  },
);

function couponsOf(sites: SiteCoupons[], total: number) {
  const sum = (field: 'issued' | 'out' | 'settled' | 'settledReturned') =>
    sites.reduce((all, one) => all + one[field], 0);
  const [issued, out, settled, returned] = [
    sum('issued'),
    sum('out'),
    sum('settled'),
    sum('settledReturned'),
  ];
  const returnRate = settled < MIN_SETTLED_COUPONS ? null : returned / settled;
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

type AdviceInput = PaceFigures & Pick<Pace, 'target' | 'missing' | 'endsOn' | 'coupons'>;

/** Only the most urgent advice. */
export function recruitmentAdviceFor(situation: AdviceInput): PaceAdvice {
  const { target, missing, endsOn, coupons, forecast, noForecast, pace, neededPerDay } = situation;
  if (target === null || missing === null) return 'NO_TARGET';
  if (missing === 0) return 'DONE';
  if (coupons.expected !== null && coupons.expected > missing) return 'FEWER_COUPONS';
  if (noForecast === 'NONE_LATELY') return 'MORE_SEEDS';
  if (!forecast) return 'TOO_EARLY';
  if (endsOn === null) return 'NO_END_DATE';
  // A target within the interval may be missed by chance alone, and the latest days may be better than those of the
  // forecast.
  const isFastEnough = pace !== null && neededPerDay !== null && pace.perDay >= neededPerDay;
  if (isFastEnough || (forecast.atEnd && forecast.atEnd.high >= target)) return 'ON_PACE';
  return coupons.recruitsEach !== null && coupons.recruitsEach < 1 ? 'MORE_SEEDS' : 'BEHIND';
}
