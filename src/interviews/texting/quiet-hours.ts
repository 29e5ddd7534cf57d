/** Quiet hours, when nobody is texted, and random times outside of them. */
import { Temporal } from 'temporal-polyfill';
import { addDays, isoDateAt } from '../../platform/lib/day.ts';
import type { QuietHours } from '../../study/settings/messages.ts';

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

const DAY_MINUTES = 24 * 60;

const minuteAt = (at: Date, zone: string): number => {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  return hour * 60 + minute;
};

const isQuietMinute = ({ from, to }: QuietHours, minute: number): boolean => {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
};

export const isInQuietHours = (hours: QuietHours, at: Date, zone: string): boolean =>
  isQuietMinute(hours, minuteAt(at, zone));

/** A random moment of the day outside of quiet hours, so that the time of a text reveals nothing but its day. */
export function randomTextingTime(
  day: string,
  { quietHours, zone }: { quietHours: QuietHours; zone: string },
  random = Math.random,
): Date {
  const open = Array.from({ length: DAY_MINUTES }, (_, minute) => minute).filter(
    (minute) => !isQuietMinute(quietHours, minute),
  );
  const minute = open[Math.floor(random() * open.length)] ?? 0;
  const time = Temporal.PlainTime.from({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const at = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: time });
  return new Date(at.epochMilliseconds + Math.floor(random() * 60_000));
}

/** The next random time: today if quiet hours haven't ended yet this morning, otherwise tomorrow. */
export function randomTimeAfterQuietHours(now: Date, around: { quietHours: QuietHours; zone: string }): Date {
  const today = isoDateAt(now, around.zone);
  const opens = minutesOf(around.quietHours.to);
  const isBefore = isInQuietHours(around.quietHours, now, around.zone) && minuteAt(now, around.zone) < opens;
  return randomTextingTime(isBefore ? today : addDays(today, 1), around);
}
