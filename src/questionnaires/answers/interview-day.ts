/**
 * The date that the form library uses as today: the service validates an interview, and calculates from it, as of the
 * day when it took place. Runs in the validator's process.
 */
import { Temporal } from 'temporal-polyfill';
import { overrideNow } from './override-now.ts';

/** A wall clock in the study's time zone, as `2026-11-23T14:05`. */
export type WallClock = string;

export const momentOf = (at: Date, zone: string): WallClock =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });

const READS_DAY = /\b(today|currentDate|currentYear|age|year|month|day|weekday)\s*\(/i;

/** Whether anything in it hangs on what day it is. */
export const dependsOnDay = (definition: object): boolean => READS_DAY.test(JSON.stringify(definition));

/** The days that a phone may have had: its clock and its time zone are its own. */
export const possibleMoments = (moments: readonly WallClock[]): WallClock[] => [
  ...new Set(
    [0, -1, 1].flatMap((days) =>
      moments.map((one) =>
        Temporal.PlainDateTime.from(one).add({ days }).toString({ smallestUnit: 'minute' }),
      ),
    ),
  ),
];

/** `work` takes no turns: meanwhile it is this moment for the whole process. */
export function runAsOf<T>(moment: WallClock | undefined, work: () => T): T {
  if (moment === undefined) return work();
  const restore = overrideNow(moment);
  try {
    return work();
  } finally {
    restore();
  }
}
