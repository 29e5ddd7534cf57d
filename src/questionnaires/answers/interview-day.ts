/**
 * The date that the form library uses as today. The service validates and calculates as of the day of the interview.
 * Runs in the validator's process.
 */
import { Temporal } from 'temporal-polyfill';
import { overrideFormClock } from './override-now.ts';

/** A wall clock in the study's time zone, as `2026-11-23T14:05`. */
export type WallClock = string;

export const wallClockOf = (at: Date, zone: string): WallClock =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });

const READS_DAY = /\b(today|currentDate|currentYear|age|year|month|day|weekday)\s*\(/i;

/** Whether any expression depends on the current date. */
export const dependsOnDay = (definition: object): boolean => READS_DAY.test(JSON.stringify(definition));

/** The moments that a phone's clock may have shown: one day more or less, since its clock or time zone may be wrong. */
export const withDayBeforeAndAfter = (moments: readonly WallClock[]): WallClock[] => [
  ...new Set(
    [0, -1, 1].flatMap((days) =>
      moments.map((one) =>
        Temporal.PlainDateTime.from(one).add({ days }).toString({ smallestUnit: 'minute' }),
      ),
    ),
  ),
];

/** `work` must be synchronous, because this changes the current time for the whole process. */
export function withCurrentTimeSetTo<T>(moment: WallClock | undefined, work: () => T): T {
  if (moment === undefined) return work();
  const restore = overrideFormClock(moment);
  try {
    return work();
  } finally {
    restore();
  }
}
