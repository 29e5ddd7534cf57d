/**
 * How many people will come in the next days: pure. Live coupons come back by the study's own return curve:
 *
 * - the hazard of each day since a coupon was handed out is Kaplan-Meier's: of those that were out that long, the share
 *   that came back on that day. Coupons that are not back, or that expired, are censored;
 * - each day of the week has its factor, from the last four whole weeks, drawn towards 1 as if 2 people more had come;
 * - walk-ins come at the pace of those four weeks, and nobody is paid for having recruited them;
 * - whoever comes gets coupons, which come back by the same curve;
 * - days vary more than chance alone: each simulated day has its own factor, a gamma variable with the variance by which
 *   the daily counts of those weeks exceed Poisson's.
 *
 * The bounds are the 10th and 90th percentile of the simulations.
 */
import { drawNormal, type Random, randomStream } from '../../../statistics/estimators/draws/random.ts';

export const MIN_RETURNS = 30;
export const HORIZON_DAYS = 7;
/** People and walk-ins are read for this many days. */
export const LOOK_BACK_DAYS = 28;
/** Nobody waits for a coupon any longer. */
const MAX_AGE_DAYS = 120;
const SIMULATIONS = 1_000;
/** People added to each day of the week. */
const PRIOR_PEOPLE = 2;

/** A coupon that an interview handed out; days are whole. */
export interface HandedOutCoupon {
  /** Since it was handed out, until it came back, expired, or until today. */
  days: number;
  isBack: boolean;
  /** Of one that is live: in how many days it expires; null: never. */
  expiresIn?: number | null;
}

export interface ReturnHistory {
  /** By which coupons come back: of the whole study (`returnHazards`), since a site alone has few returns. */
  hazard: readonly number[];
  coupons: readonly HandedOutCoupon[];
  /** Of the last 28 whole days, yesterday first. */
  people: readonly number[];
  walkIns: readonly number[];
  /** That each person gets. */
  couponsEach: number;
  /** For an interview, and for a recruit. */
  pays: { interview: number; recruit: number };
  seed: number;
}

export interface DayForecast {
  expected: number;
  low: number;
  high: number;
  money: { low: number; high: number };
}

/** By days since a coupon was handed out. */
export function returnHazards(coupons: readonly HandedOutCoupon[]): number[] {
  const [back, censoredCounts] = [0, 1].map(() => new Float64Array(MAX_AGE_DAYS + 1));
  for (const { days, isBack } of coupons) (isBack ? back : censoredCounts)![Math.min(days, MAX_AGE_DAYS)]!++;
  let atRisk = coupons.length;
  return Array.from({ length: MAX_AGE_DAYS }, (_, day) => {
    // Those that are censored on this day were out for half of it.
    const exposed = atRisk - censoredCounts![day]! / 2;
    const hazard = exposed > 0 ? back![day]! / exposed : 0;
    atRisk -= back![day]! + censoredCounts![day]!;
    return Math.min(1, hazard);
  });
}

/** The share of coupons that are back after this many days. */
export function returnCurve(hazard: readonly number[]): { day: number; share: number }[] {
  let out = 1;
  return hazard.map((one, day) => {
    out *= 1 - one;
    return { day, share: 1 - out };
  });
}

const mean = (values: readonly number[]) => values.reduce((all, one) => all + one, 0) / values.length;

/** Of the days of the week, beginning with that of yesterday and going back. */
function weekdayFactors(people: readonly number[]): number[] {
  const usual = mean(people);
  const weeks = people.length / 7;
  return Array.from({ length: 7 }, (_, back) => {
    const came = people.filter((_one, at) => at % 7 === back).reduce((all, one) => all + one, 0);
    return (came + PRIOR_PEOPLE) / (weeks * usual + PRIOR_PEOPLE);
  });
}

/** By how much the days vary beyond chance, as the variance of a factor with mean 1. */
function dayVariance(people: readonly number[], factors: readonly number[]): number {
  const usual = mean(people);
  if (usual === 0) return 0;
  const squares = people.map((one, back) => (one - usual * factors[back % 7]!) ** 2);
  const excess = (squares.reduce((all, one) => all + one, 0) / (people.length - 7) - usual) / usual ** 2;
  return Math.max(0, Math.min(1, excess));
}

/** With mean 1; by Wilson and Hilferty's cube, which is close enough for variances up to 1. */
function gammaFactor(random: Random, variance: number): number {
  if (variance === 0) return 1;
  const shape = 1 / variance;
  return Math.max(0, 1 - 1 / (9 * shape) + drawNormal(random.uniform) / (3 * Math.sqrt(shape))) ** 3;
}

function poisson(random: Random, rate: number): number {
  if (rate <= 0) return 0;
  if (rate > 30) return Math.max(0, Math.round(rate + Math.sqrt(rate) * drawNormal(random.uniform)));
  let count = 0;
  for (let limit = Math.exp(-rate), at = random.uniform(); at > limit; at *= random.uniform()) count++;
  return count;
}

/** Tomorrow first. Whoever comes today is part of it, since their coupons are live tomorrow. */
export function forecastDays(past: ReturnHistory): DayForecast[] {
  const { hazard } = past;
  const factors = weekdayFactors(past.people);
  const variance = dayVariance(past.people, factors);
  const walkIns = mean(past.walkIns);
  const live = past.coupons.filter(({ isBack, expiresIn }) => !isBack && expiresIn !== undefined);
  // Today goes by as well before tomorrow begins.
  const rateOf = (ahead: number) =>
    live.reduce((all, { days, expiresIn }) => {
      if (expiresIn !== null && expiresIn !== undefined && expiresIn < ahead) return all;
      let out = 1;
      for (let day = 0; day < ahead; day++) out *= 1 - (hazard[days + day] ?? 0);
      return all + out * (hazard[days + ahead] ?? 0);
    }, 0);
  const rates = Array.from({ length: HORIZON_DAYS + 1 }, (_, ahead) => rateOf(ahead));
  const perDay = () => Array.from({ length: HORIZON_DAYS }, () => new Float64Array(SIMULATIONS));
  const [runs, sums] = [perDay(), perDay()];
  for (let run = 0; run < SIMULATIONS; run++) {
    const random = randomStream(past.seed, run);
    const came: number[] = [];
    for (let ahead = 0; ahead <= HORIZON_DAYS; ahead++) {
      // Of those who come from today on, whose coupons are not handed out yet.
      const fresh = came.reduce(
        (all, one, day) => all + one * past.couponsEach * (hazard[ahead - day] ?? 0),
        0,
      );
      const factor = factors[(7 * 2 - 1 - ahead) % 7]! * gammaFactor(random, variance);
      const recruits = poisson(random, (rates[ahead]! + fresh) * factor);
      const people = recruits + poisson(random, walkIns * factor);
      came.push(people);
      if (ahead === 0) continue;
      runs[ahead - 1]![run] = people;
      sums[ahead - 1]![run] = people * past.pays.interview + recruits * past.pays.recruit;
    }
  }
  return runs.map((values, at) => ({
    expected: mean(Array.from(values)),
    ...boundsOf(values),
    money: boundsOf(sums[at]!),
  }));
}

function boundsOf(values: Float64Array): { low: number; high: number } {
  const sorted = values.toSorted();
  return { low: sorted[Math.floor(0.1 * SIMULATIONS)]!, high: sorted[Math.floor(0.9 * SIMULATIONS)]! };
}
