/**
 * The clock of a simulated study has days of 24 hours, regardless of the time zone's clock changes and of when the
 * simulation runs, so that the same random seed gives the same study on any day. `toReal` converts its times to
 * instants.
 */
import { DAY_MS, dayBoundsAt } from '../../src/platform/lib/day.ts';
import type { Random } from './random.ts';

const HOUR = 3_600_000;

export interface OpenDay {
  open: number;
  close: number;
}

export interface Calendar {
  days: OpenDay[];
  /** When the study ends; nothing happens after it. */
  end: number;
  toReal(at: number): Date;
}

/** Sites are open from nine to five; on the last day, the one that holds `end`, until the study ends. */
export function calendar(end: Date, length: number, zone: string): Calendar {
  const starts: number[] = [];
  for (let at = end; starts.length < length; at = new Date((starts[0] ?? 0) - 1)) {
    starts.unshift(dayBoundsAt(at, zone).start.getTime());
  }
  const last = end.getTime() - (starts.at(-1) ?? 0);
  const days = starts.map((_, index) => {
    const close = index === length - 1 ? Math.min(17 * HOUR, last) : 17 * HOUR;
    // Whoever starts the demo at night finds interviews of this night, not an empty day.
    const open = close > 10 * HOUR ? 9 * HOUR : close * 0.1;
    return { open: index * DAY_MS + open, close: index * DAY_MS + close };
  });
  return {
    days,
    end: (length - 1) * DAY_MS + last,
    toReal(at) {
      const index = Math.min(Math.max(Math.floor(at / DAY_MS), 0), length - 1);
      return new Date((starts[index] ?? 0) + (at - index * DAY_MS));
    },
  };
}

/** The next moment from `at` on at which a site is open; in the morning people come at any time of the day. */
export function nextOpen(days: OpenDay[], at: number, random: Random): number | null {
  for (const { open, close } of days) {
    if (at < open) return open + random.next() * 0.9 * (close - open);
    if (at < close) return at;
  }
  return null;
}
