/**
 * Forecasts how many people will come in the next days: pure. Live coupons are returned according to the study's own
 * return curve:
 *
 * - the hazard for each day since a coupon was handed out is the Kaplan-Meier estimate: of the coupons still out
 *   after that many days, the share returned on that day. Coupons that aren't returned, or have expired, are censored;
 * - each day of the week has a factor, estimated from the last four whole weeks and shrunk toward 1 as if 2 more
 *   people had come;
 * - walk-ins arrive at the rate of those four weeks, and nobody is paid for recruiting them;
 * - everyone who comes gets coupons, which are returned according to the same curve;
 * - days vary more than by chance alone: each simulated day has its own factor, gamma-distributed, with the variance
 *   by which the daily counts of those weeks exceed a Poisson distribution's.
 *
 * The bounds are the 10th and 90th percentiles of the simulations.
 */
import { drawNormal, type Random, randomStream } from '../../../statistics/estimators/draws/random.ts';

export const MIN_RETURNS = 30;
export const HORIZON_DAYS = 7;
/** Daily people and walk-ins are read for this many days. */
export const LOOK_BACK_DAYS = 28;
/** Older coupons are no longer expected to be returned. */
const MAX_AGE_DAYS = 120;
const SIMULATIONS = 1_000;
/** Prior: people added to each day of the week. */
const PRIOR_PEOPLE = 2;

/** A coupon that an interview handed out; days are whole. */
export interface HandedOutCoupon {
  /** Days from being handed out until it was returned, expired, or until today. */
  days: number;
  isReturned: boolean;
  /** For a live coupon: in how many days it expires; null if never. */
  expiresIn?: number | null;
}

export interface ReturnHistory {
  /** The return hazards of the whole study (`couponReturnRates`), since a single site has few returns. */
  hazard: readonly number[];
  coupons: readonly HandedOutCoupon[];
  /** Counts for the last 28 whole days, yesterday first. */
  people: readonly number[];
  walkIns: readonly number[];
  /** Coupons per person. */
  couponsEach: number;
  /** Amounts for an interview, and for a recruit. */
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
export function couponReturnRates(coupons: readonly HandedOutCoupon[]): number[] {
  const [back, censoredCounts] = [0, 1].map(() => new Float64Array(MAX_AGE_DAYS + 1));
  for (const { days, isReturned } of coupons)
    (isReturned ? back : censoredCounts)![Math.min(days, MAX_AGE_DAYS)]!++;
  let atRisk = coupons.length;
  return Array.from({ length: MAX_AGE_DAYS }, (_, day) => {
    // Coupons censored on this day were at risk for half of it.
    const exposed = atRisk - censoredCounts![day]! / 2;
    const hazard = exposed > 0 ? back![day]! / exposed : 0;
    atRisk -= back![day]! + censoredCounts![day]!;
    return Math.min(1, hazard);
  });
}

/** The cumulative share of coupons returned after this many days. */
export function returnCurve(hazard: readonly number[]): { day: number; share: number }[] {
  let out = 1;
  return hazard.map((one, day) => {
    out *= 1 - one;
    return { day, share: 1 - out };
  });
}

const mean = (values: readonly number[]) => values.reduce((all, one) => all + one, 0) / values.length;

/** Factors of the days of the week, starting with yesterday's and going back. */
function weekdayFactors(people: readonly number[]): number[] {
  const usual = mean(people);
  const weeks = people.length / 7;
  return Array.from({ length: 7 }, (_, back) => {
    const came = people.filter((_one, at) => at % 7 === back).reduce((all, one) => all + one, 0);
    return (came + PRIOR_PEOPLE) / (weeks * usual + PRIOR_PEOPLE);
  });
}

/** Variance of the daily counts beyond Poisson, as the variance of a factor with mean 1. */
function dayVariance(people: readonly number[], factors: readonly number[]): number {
  const usual = mean(people);
  if (usual === 0) return 0;
  const squares = people.map((one, back) => (one - usual * factors[back % 7]!) ** 2);
  const excess = (squares.reduce((all, one) => all + one, 0) / (people.length - 7) - usual) / usual ** 2;
  return Math.max(0, Math.min(1, excess));
}

/** A gamma variable with mean 1, by the Wilson-Hilferty approximation, which is close enough for variances up to 1. */
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

/** Tomorrow first. People who come today are part of it, since their coupons are live tomorrow. */
export function forecastDays(past: ReturnHistory): DayForecast[] {
  const { hazard } = past;
  const factors = weekdayFactors(past.people);
  const variance = dayVariance(past.people, factors);
  const walkIns = mean(past.walkIns);
  const live = past.coupons.filter(({ isReturned, expiresIn }) => !isReturned && expiresIn !== undefined);
  // Today passes too before tomorrow begins.
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
      // Returns from people who come from today on, whose coupons aren't handed out yet.
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
