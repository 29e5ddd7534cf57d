/** Calendar days as numbers, for many instants: each day of a time zone is calculated once. */
import { DAY_MS, dateAt, dayBounds, dayBoundsAt } from '../lib/day.ts';

/** Of a day, YYYY-MM-DD; the next one has the next number. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
export const dayNamed = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

interface Day {
  number: number;
  start: number;
  end: number;
}

/** The zone is a setting: one entry. */
const calendars = new Map<string, (at: number) => number>();

/** The number of the day that holds an instant. */
export function calendarOf(zone: string): (at: number) => number {
  const known = calendars.get(zone) ?? makeCalendar(zone);
  calendars.set(zone, known);
  return known;
}

function makeCalendar(zone: string): (at: number) => number {
  const daysOfUtcDay = new Map<number, Day[]>();
  let last: Day = { number: 0, start: 0, end: 0 };
  return (at) => {
    if (at >= last.start && at < last.end) return last.number;
    const utcDay = Math.floor(at / DAY_MS);
    const days = daysOfUtcDay.get(utcDay) ?? [];
    const known = days.find(({ start, end }) => at >= start && at < end);
    last = known ?? dayAt(at, zone);
    if (!known) daysOfUtcDay.set(utcDay, [...days, last]);
    return last.number;
  };
}

function dayAt(at: number, zone: string): Day {
  const { start, end } = dayBoundsAt(new Date(at), zone);
  return { number: dayNumber(dateAt(start, zone)), start: start.getTime(), end: end.getTime() };
}

/** The first instant of a day, in milliseconds. */
export const startOfDay = (number: number, zone: string): number =>
  dayBounds(dayNamed(number), zone)?.start.getTime() ?? Number.NaN;
