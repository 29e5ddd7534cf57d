/**
 * Calendar days of a time zone, as instants. A day runs from the first instant with its date to the first instant of the
 * next date. This also works for days of 23 and 25 hours, days whose midnight comes twice (the first one counts) and days
 * that begin at one o'clock, and no two days overlap.
 */
import { Temporal } from 'temporal-polyfill';

/** Twenty-four hours, whatever the calendar says. */
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

export interface DayBounds {
  start: Date;
  /** Exclusive. */
  end: Date;
}

interface Day {
  name: string;
  start: number;
  end: number;
}

/** A cache by time zone: every request needs today's bounds, and exports need the day of each interview. */
const recentDays = new Map<string, Day[]>();
const MAX_CACHED_DAYS = 32;

function toDay(date: Temporal.PlainDate, zone: string): Day {
  const start = date.toZonedDateTime(zone).epochMilliseconds;
  const end = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
  return { name: date.toString(), start, end };
}

function dayAt(at: Date, zone: string): Day {
  const instant = at.getTime();
  const known = recentDays.get(zone) ?? [];
  const found = known.find(({ start, end }) => instant >= start && instant < end);
  if (found) return found;
  const date = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();
  let day = toDay(date, zone);
  // If clocks go back over midnight (00:01 to 23:01), the next day has already begun.
  if (instant >= day.end) day = toDay(date.add({ days: 1 }), zone);
  recentDays.set(zone, [day, ...known.slice(0, MAX_CACHED_DAYS - 1)]);
  return day;
}

/** The calendar day in the zone that contains the instant. */
export function dayBoundsAt(now: Date, zone: string): DayBounds {
  const { start, end } = dayAt(now, zone);
  return { start: new Date(start), end: new Date(end) };
}

/** The date so many days after another, both as YYYY-MM-DD. */
export const addDays = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/** The date of the instant in the zone, as YYYY-MM-DD. */
export function dateAt(at: Date, zone: string): string {
  return dayAt(at, zone).name;
}

/** The bounds of a date given as YYYY-MM-DD; null if there is no such date (30 February). */
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
