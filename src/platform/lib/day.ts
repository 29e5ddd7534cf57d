/**
 * Calendar days of a time zone, as instants. A day runs from the first instant with its date to the first instant of
 * the next date. This also works for days of 23 and 25 hours, days whose midnight comes twice (the first one counts)
 * and days that begin at one o'clock; days never overlap.
 */
import { Temporal } from 'temporal-polyfill';

/** Twenty-four hours, regardless of the calendar. */
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

export interface DayBounds {
  start: Date;
  /** Exclusive. */
  end: Date;
}

interface Day {
  name: string;
  number: number;
  start: number;
  end: number;
}

/** The number of a day given as YYYY-MM-DD; consecutive days have consecutive numbers. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
export const dayOfNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

function toDay(date: Temporal.PlainDate, zone: string): Day {
  const start = date.toZonedDateTime(zone).epochMilliseconds;
  const end = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
  const name = date.toString();
  return { name, number: dayNumber(name), start, end };
}

/**
 * A cache by time zone (a setting) and by UTC day. Limited in size, because instants may come from phones with wrong
 * clocks.
 */
const dayCache = new Map<string, Map<number, Day[]>>();
const MAX_CACHED_DAYS = 10_000;

function dayAt(instant: number, zone: string): Day {
  const ofZone = dayCache.get(zone) ?? new Map<number, Day[]>();
  dayCache.set(zone, ofZone);
  const utcDay = Math.floor(instant / DAY_MS);
  const days = ofZone.get(utcDay) ?? [];
  const match = days.find(({ start, end }) => instant >= start && instant < end);
  if (match) return match;
  const date = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();
  let day = toDay(date, zone);
  // If clocks go back over midnight (00:01 to 23:01), the next day has already begun.
  if (instant >= day.end) day = toDay(date.add({ days: 1 }), zone);
  if (ofZone.size >= MAX_CACHED_DAYS) ofZone.clear();
  ofZone.set(utcDay, [...days, day]);
  return day;
}

/** The number of the day that contains an instant; fastest if instants are in order. */
export function dayNumberIn(zone: string): (at: number) => number {
  let last = dayAt(0, zone);
  return (at) => {
    if (at < last.start || at >= last.end) last = dayAt(at, zone);
    return last.number;
  };
}

/** The first instant of a day, in milliseconds. */
export const startOfDay = (number: number, zone: string): number =>
  dayBounds(dayOfNumber(number), zone)?.start.getTime() ?? Number.NaN;

/** The calendar day in the zone that contains the instant. */
export function dayBoundsAt(now: Date, zone: string): DayBounds {
  const { start, end } = dayAt(now.getTime(), zone);
  return { start: new Date(start), end: new Date(end) };
}

/** The date this many days after another, both as YYYY-MM-DD. */
export const addDays = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/** The date of the instant in the zone, as YYYY-MM-DD. */
export function isoDateAt(at: Date, zone: string): string {
  return dayAt(at.getTime(), zone).name;
}

/** The bounds of a date given as YYYY-MM-DD; null if there is no such date (February 30). */
export function dayBounds(day: string, zone: string): DayBounds | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  let date: Temporal.PlainDate;
  try {
    date = Temporal.PlainDate.from(day);
  } catch {
    return null;
  }
  const { start, end } = toDay(date, zone);
  return { start: new Date(start), end: new Date(end) };
}
