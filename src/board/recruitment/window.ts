/** Which interviews to count: all, or those at a site and in a period. */
import { parseTimeRange } from '../../platform/http/lists/date-range.ts';
import type { InterviewColumnStore } from '../../statistics/study-table/interviews.ts';
import type { RoundReference } from '../../study/rounds/requested.ts';
import type { RecruitmentSummaryQuery } from './schema.ts';

/** What every recruitment query depends on. */
export interface RecruitmentQueryContext {
  now: Date;
  /** The study's time zone. */
  zone: string;
  /** The round of the table; all rounds if absent. */
  round?: RoundReference;
}

export interface SitePeriod {
  /** Id of a location; null for all sites. */
  site: string | null;
  /** In milliseconds, `to` exclusive. */
  from: number;
  to: number;
}

export const UNBOUNDED_WINDOW: SitePeriod = {
  site: null,
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
};

export const windowOf = (query: RecruitmentSummaryQuery, zone: string): SitePeriod => ({
  site: query.location ?? null,
  ...parseTimeRange(query, zone),
});

/** Calls `each` with the row of every interview in the window; deleted ones are never included. */
export function forEachInterviewWithin(
  interviews: InterviewColumnStore,
  { site, from, to }: SitePeriod,
  each: (row: number) => void,
): void {
  const { heldAt } = interviews;
  const siteCode = site === null ? -1 : interviews.site.codeOf(site);
  if (site !== null && siteCode < 0) return;
  for (let row = 0; row < interviews.size; row++) {
    if (!interviews.isPresent(row)) continue;
    if (siteCode >= 0 && interviews.site.codes[row] !== siteCode) continue;
    if (heldAt[row]! >= from && heldAt[row]! < to) each(row);
  }
}
