/** Interviews by interview date and site, for pace, sites and the board. */
import { dayNumberIn } from '../../../platform/lib/day.ts';
import {
  IN_SAMPLE_BIT,
  type InterviewColumnStore,
  NOT_TAKING_PART_BIT,
} from '../../../statistics/study-table/interviews.ts';
import { forEachInterviewWithin, type SitePeriod } from '../window.ts';

export interface DailyCount {
  /** Day number, see lib/day.ts. */
  day: number;
  /** The id of a location. */
  site: string;
  surveys: number;
  /** Interviews in the sample: counted and not rejected. */
  counted: number;
  refused: number;
  /** When the last counted interview took place, in milliseconds. */
  lastAt: number;
}

/** In no particular order. */
export function dailyCounts(
  interviews: InterviewColumnStore,
  window: SitePeriod,
  zone: string,
): DailyCount[] {
  const dayOf = dayNumberIn(zone);
  const { heldAt, site } = interviews;
  const sites = site.values.length;
  const counts = new Map<number, DailyCount>();
  forEachInterviewWithin(interviews, window, (row) => {
    const day = dayOf(heldAt[row]!);
    const key = day * sites + site.codes[row]!;
    let count = counts.get(key);
    if (!count) {
      count = { day, site: site.valueOf(row), surveys: 0, counted: 0, refused: 0, lastAt: 0 };
      counts.set(key, count);
    }
    count.surveys++;
    if (interviews.is(row, NOT_TAKING_PART_BIT)) count.refused++;
    if (!interviews.is(row, IN_SAMPLE_BIT)) return;
    count.counted++;
    count.lastAt = Math.max(count.lastAt, heldAt[row]!);
  });
  return [...counts.values()];
}
