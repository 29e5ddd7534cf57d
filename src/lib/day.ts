/**
 * Calendar days of a time zone, as instants. A day runs from the first instant that bears its date to the first
 * instant of the next date, so days of 23 and 25 hours, days whose midnight comes twice (the first one counts) and
 * days that begin at one o'clock are all right, and no two days share an instant.
 */
import { Temporal } from 'temporal-polyfill';

export interface Bounds {
  start: Date;
  /** Exclusive. */
  end: Date;
}

interface Day {
  name: string;
  start: number;
  end: number;
}

/** Rights ask for today's bounds on each request, files for the days of each interview. The zone is a setting: one entry. */
const lastDays = new Map<string, Day[]>();
const KEPT = 32;

function toDay(date: Temporal.PlainDate, zone: string): Day {
  const start = date.toZonedDateTime(zone).epochMilliseconds;
  const end = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
  return { name: date.toString(), start, end };
}

function dayAt(at: Date, zone: string): Day {
  const instant = at.getTime();
  const known = lastDays.get(zone) ?? [];
  const found = known.find(({ start, end }) => instant >= start && instant < end);
  if (found) return found;
  const date = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();
  let day = toDay(date, zone);
  // Clocks that went back over midnight (00:01 to 23:01): the next day has begun already and goes on.
  if (instant >= day.end) day = toDay(date.add({ days: 1 }), zone);
  lastDays.set(zone, [day, ...known.slice(0, KEPT - 1)]);
  return day;
}

/** The calendar day in the zone that holds the instant. */
export function dayOf(now: Date, zone: string): Bounds {
  const { start, end } = dayAt(now, zone);
  return { start: new Date(start), end: new Date(end) };
}

/** The date, YYYY-MM-DD, that the instant has in the zone. */
export function dayName(at: Date, zone: string): string {
  return dayAt(at, zone).name;
}

/** The bounds of a date written YYYY-MM-DD, or null where there is no such date (30 February). */
export function boundsOfDay(day: string, zone: string): Bounds | null {
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
