/** How many people a site, or the whole study, can expect in the coming days, and the money needed. */
import { DAY_MS, dayNumberIn, dayOfNumber } from '../../../platform/lib/day.ts';
import { randomSeedOf } from '../../../statistics/estimators/draws/random.ts';
import { queryStudyTable } from '../../../statistics/study-table/ask.ts';
import { type CouponColumnStore, LIVE, USED } from '../../../statistics/study-table/coupons.ts';
import { IN_SAMPLE_BIT, type InterviewColumnStore } from '../../../statistics/study-table/interviews.ts';
import { createStudyTableQuery } from '../../../statistics/study-table/table-query.ts';
import { currencyDecimals, type IncentiveSettings } from '../../../study/settings/incentives.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import { forEachInterviewWithin, type RecruitmentQueryContext, UNBOUNDED_WINDOW } from '../window.ts';
import {
  couponReturnRates,
  forecastDays,
  type HandedOutCoupon,
  LOOK_BACK_DAYS,
  MIN_RETURNS,
  returnCurve,
} from './returns.ts';

interface ForecastArgs extends RecruitmentQueryContext {
  /** Id of a location; null for the whole study. */
  site: string | null;
  couponsEach: number;
  incentives: IncentiveSettings;
}

export async function comingDaysForecast(context: RecruitmentQueryContext, site: string | null, by?: string) {
  const { couponsPerSurvey: couponsEach, incentives } = await loadStudy();
  return await queryStudyTable(forecastFromStudyTable, { ...context, site, couponsEach, incentives }, by);
}

export const forecastFromStudyTable = createStudyTableQuery(
  'sitesForecast',
  ({ interviews, coupons: all }, { now, zone, round, site, couponsEach, incentives }: ForecastArgs) => {
    const ofStudy = handedOut(all, now.getTime(), null);
    const coupons = site === null ? ofStudy : handedOut(all, now.getTime(), site);
    const liveCoupons = coupons.filter(({ expiresIn }) => expiresIn !== undefined).length;
    const base = { asOf: now, liveCoupons };
    const none = (noForecast: 'NO_OPEN_ROUND' | 'TOO_FEW_RETURNS') => ({
      ...base,
      ...{ days: null, noForecast, returnCurve: null },
    });
    // A closed round has no forecast.
    if (round && round.closedAt !== null) return none('NO_OPEN_ROUND');
    if (ofStudy.filter(({ isReturned }) => isReturned).length < MIN_RETURNS) return none('TOO_FEW_RETURNS');
    const today = dayNumberIn(zone)(now.getTime());
    const { eachPerDay, ...daily } = dailyPeople(interviews, today, zone, site);
    const hazard = couponReturnRates(ofStudy);
    const past = { hazard, coupons, ...daily, couponsEach, pays: amountsOf(incentives) };
    const days = forecastDays({ ...past, seed: randomSeedOf([today, site, coupons.length]) });
    return {
      ...base,
      days: days.map(({ money, ...one }, at) => ({
        day: dayOfNumber(today + 1 + at),
        ...one,
        interviewers: eachPerDay === null ? null : Math.ceil(one.high / eachPerDay),
        money: moneyOf(money, incentives),
      })),
      noForecast: null,
      returnCurve: returnCurve(hazard),
    };
  },
);

/**
 * Coupons that interviews at the site handed out, without voided ones. Coupons of seeds are excluded, because staff
 * decide when they are used.
 */
function handedOut(coupons: CouponColumnStore, now: number, site: string | null): HandedOutCoupon[] {
  const records: HandedOutCoupon[] = [];
  const siteCode = site === null ? -1 : coupons.site.codeOf(site);
  if (site !== null && siteCode < 0) return records;
  for (let row = 0; row < coupons.size; row++) {
    const [state, out, expires] = [coupons.state[row]!, coupons.handedOutAt[row]!, coupons.expiresAt[row]!];
    if ((state !== LIVE && state !== USED) || coupons.ofSeed[row] === 1 || Number.isNaN(out)) continue;
    if (siteCode >= 0 && coupons.site.codes[row] !== siteCode) continue;
    const isLive = coupons.isLive(row, now);
    const until = isLive ? now : expires;
    const days = state === USED ? coupons.daysOut[row]! : Math.max(0, Math.floor((until - out) / DAY_MS));
    if (days < 0) continue;
    const expiresIn = Number.isNaN(expires) ? null : Math.floor((expires - now) / DAY_MS);
    records.push({ days, isReturned: state === USED, ...(isLive ? { expiresIn } : {}) });
  }
  return records;
}

/**
 * Daily counts for the last whole days, yesterday first; and how many interviews an interviewer does on a working day,
 * null if there were none.
 */
function dailyPeople(interviews: InterviewColumnStore, today: number, zone: string, site: string | null) {
  const dayOf = dayNumberIn(zone);
  const [people, walkIns] = [0, 1].map(() => Array.from({ length: LOOK_BACK_DAYS }, () => 0)) as [
    number[],
    number[],
  ];
  const work = new Set<string>();
  let interviewCount = 0;
  forEachInterviewWithin(interviews, { ...UNBOUNDED_WINDOW, site }, (row) => {
    const back = today - 1 - dayOf(interviews.heldAt[row]!);
    if (back < 0 || back >= LOOK_BACK_DAYS || !interviews.is(row, IN_SAMPLE_BIT)) return;
    people[back]!++;
    if (interviews.wave[row] === 0) walkIns[back]!++;
    work.add(`${interviews.interviewer.codes[row]} ${back}`);
    interviewCount++;
  });
  return { people, walkIns, eachPerDay: interviewCount === 0 ? null : interviewCount / work.size };
}

function amountsOf({ interview, recruit, recruitLimit }: IncentiveSettings) {
  return { interview: Number(interview ?? 0), recruit: recruitLimit === 0 ? 0 : Number(recruit ?? 0) };
}

function moneyOf({ low, high }: { low: number; high: number }, incentives: IncentiveSettings) {
  const { currency, interview, recruit } = incentives;
  if (currency === null || (interview === null && recruit === null)) return null;
  const amount = (sum: number) => sum.toFixed(currencyDecimals(currency));
  return { low: amount(low), high: amount(high) };
}
