/**
 * Forecasts the number of interviews, and when the target is met: pure, from daily counts. Daily counts in field work
 * are clustered (weekends, rain, one diligent volunteer), so their variance exceeds their mean. They are modeled as
 * overdispersed (quasi-Poisson) counts with a common mean m:
 *
 * - m and the variance s² are estimated from the last n whole days before today, n = 7, 14, 21 or 28: the largest
 *   number of whole weeks since the first interview, so that each day of the week has the same weight;
 * - the dispersion is φ = max(1, s² / m);
 * - in the k days from today on, m·k interviews are expected, with variance φ·m·(k + k²/n): that of the daily counts,
 *   plus that of the estimate of m;
 * - the bounds are an 80 % prediction interval: ±1.28 standard deviations, widened for few days by Student's t with
 *   n - 1 degrees of freedom.
 *
 * Today isn't complete yet: it is the first day of the forecast, and never less than what was already counted.
 */
import jstat from 'jstat';
import { dayNumber, dayOfNumber } from '../../../platform/lib/day.ts';
import type { Pace } from './pace-schema.ts';

const WEEKS = 4;
const MIN_DAYS = 7;
/** The forecast ends after this many days. */
const MAX_DAYS = 5 * 365;
const MAX_POINTS = 60;

export interface ForecastInput {
  /** Counted interviews by day. */
  byDay: ReadonlyMap<string, number>;
  today: string;
  target: number | null;
  endsOn: string | null;
}

interface Range<T> {
  expected: T;
  low: T;
  high: T;
}

type Forecast = NonNullable<Pace['forecast']>;
export type PaceFigures = Pick<
  Pace,
  'total' | 'today' | 'pace' | 'daysLeft' | 'neededPerDay' | 'forecast' | 'noForecast'
>;

export function outlookOf(progress: ForecastInput): PaceFigures {
  const { byDay, today, target, endsOn } = progress;
  const now = dayNumber(today);
  const countOn = (day: number) => byDay.get(dayOfNumber(day)) ?? 0;
  const first = Math.min(...[...byDay.keys()].map(dayNumber));
  const total = [...byDay.values()].reduce((all, one) => all + one, 0);
  const whole = Math.max(0, Number.isFinite(first) ? now - first : 0);
  const last = (days: number) => Array.from({ length: days }, (_, back) => countOn(now - 1 - back));
  const recent = last(Math.min(14, whole));
  const daysLeft = endsOn === null ? null : Math.max(0, dayNumber(endsOn) - now + 1);
  const missing = target === null ? null : Math.max(0, target - total);
  const current = { total, today: countOn(now) };
  const outlook = {
    ...current,
    pace: recent.length > 0 ? { perDay: meanOf(recent), days: recent.length } : null,
    daysLeft,
    neededPerDay: missing !== null && daysLeft ? missing / daysLeft : null,
  };
  const days = MIN_DAYS * Math.min(WEEKS, Math.floor(whole / MIN_DAYS));
  const counts = last(days);
  const noForecast = missingReason(total, counts);
  if (noForecast) return { ...outlook, forecast: null, noForecast };
  return { ...outlook, forecast: forecastFrom(counts, current, progress, daysLeft), noForecast: null };
}

function missingReason(total: number, counts: number[]): Pace['noForecast'] {
  if (total === 0) return 'NO_INTERVIEW';
  if (counts.length === 0) return 'TOO_FEW_DAYS';
  return counts.every((count) => count === 0) ? 'NONE_LATELY' : null;
}

const meanOf = (counts: number[]) => counts.reduce((all, one) => all + one, 0) / counts.length;

function forecastFrom(
  counts: number[],
  { total, today }: Pick<PaceFigures, 'total' | 'today'>,
  progress: ForecastInput,
  daysLeft: number | null,
): Forecast {
  const days = counts.length;
  const mean = meanOf(counts);
  const variance = counts.reduce((all, one) => all + (one - mean) ** 2, 0) / (days - 1);
  const dispersion = Math.max(1, variance / mean);
  const width = jstat.studentt.inv(0.9, days - 1);
  const start = total - today;
  /** The forecast after k days, where today is the first. */
  const after = (k: number): Range<number> => {
    const error = width * Math.sqrt(dispersion * mean * (k + k ** 2 / days));
    const atLeast = (value: number) => Math.max(total, start + value);
    return {
      expected: atLeast(mean * k),
      low: atLeast(mean * k - error),
      high: atLeast(mean * k + error),
    };
  };
  const dayAfter = (k: number) => dayOfNumber(dayNumber(progress.today) + k - 1);
  const targetMet = dayTargetMet(progress, total, after, dayAfter);
  const atEnd = daysLeft !== null && daysLeft > 0 && daysLeft <= MAX_DAYS ? rounded(after(daysLeft)) : null;
  const horizon = Math.min(MAX_DAYS, Math.max(daysLeft ?? 0, 28));
  const step = Math.ceil(horizon / MAX_POINTS);
  const steps = Array.from({ length: Math.floor((horizon - 1) / step) }, (_, at) => 1 + at * step);
  const path = [...steps, horizon].map((k) => ({ day: dayAfter(k), ...rounded(after(k)) }));
  return { days, perDay: mean, dispersion, atEnd, targetMet, path };
}

/** The first day on which each of the three reaches the target. */
function dayTargetMet(
  { byDay, target }: ForecastInput,
  total: number,
  after: (k: number) => Range<number>,
  dayAfter: (k: number) => string,
): Range<string | null> | null {
  if (target === null) return null;
  if (total >= target) {
    const day = dayOfTarget(byDay, target);
    return { expected: day, low: day, high: day };
  }
  const met: Range<string | null> = { expected: null, low: null, high: null };
  for (let k = 1; k <= MAX_DAYS && met.high === null; k++) {
    const { expected, low, high } = after(k);
    // More interviews mean an earlier day: the upper bound of the count gives the lower bound of the date.
    met.low ??= high >= target ? dayAfter(k) : null;
    met.expected ??= expected >= target ? dayAfter(k) : null;
    met.high = low >= target ? dayAfter(k) : null;
  }
  return met;
}

function dayOfTarget(byDay: ForecastInput['byDay'], target: number): string | null {
  let sum = 0;
  for (const [day, count] of [...byDay].sort(([a], [b]) => (a < b ? -1 : 1))) {
    sum += count;
    if (sum >= target) return day;
  }
  return null;
}

const rounded = ({ expected, low, high }: Range<number>): Range<number> => ({
  expected: Math.round(expected),
  low: Math.floor(low),
  high: Math.ceil(high),
});
