/** All findings of the study, as pure functions of the study table, and a page of them. */
import { type RankedPageQuery, rankedPage } from '../http/ranked-page.ts';
import { figure } from '../study-table/figure.ts';
import type { StudyTable } from '../study-table/table.ts';
import { findCouponRuns } from './coupon-run.ts';
import { findDurations } from './durations.ts';
import { findFarFromSite, type SitePositions } from './far-from-site.ts';
import { type Finding, rankOf } from './finding.ts';
import { findOddClocks, findRepeats } from './flagged.ts';
import { findManyDeclined } from './many-declined.ts';
import { findManySkipped } from './many-skipped.ts';
import { findOddSizes } from './odd-sizes.ts';
import type { CheckCode } from './rules.ts';

export interface FindingsArgs extends SitePositions {
  /** Ids of the surveys with the flag POSSIBLE_REPEAT that the reader may review. */
  mayReview: string[];
}

export const findAll = (table: StudyTable, args: FindingsArgs): Finding[] => [
  ...findDurations(table),
  ...findManySkipped(table),
  ...findOddSizes(table),
  ...findFarFromSite(table, args),
  ...findCouponRuns(table),
  ...findManyDeclined(table),
  ...findOddClocks(table),
  ...findRepeats(table, args.mayReview),
];

export interface FindingFilter {
  check?: CheckCode | undefined;
  location?: string | undefined;
  interviewer?: string | undefined;
  /** In milliseconds, `to` exclusive. */
  from: number;
  to: number;
  isDismissed: boolean;
}

interface PageArgs extends FindingsArgs {
  filter: FindingFilter;
  /** By the id of the finding, the value with which it was dismissed. */
  dismissed: ReadonlyMap<string, Finding['value']>;
  page: RankedPageQuery;
}

export const findingsFigure = figure('findings', (table, { filter, dismissed, page, ...args }: PageArgs) => {
  const { check, location, interviewer, from, to, isDismissed } = filter;
  const found = findAll(table, args).filter(
    (one) =>
      (check === undefined || one.check === check) &&
      (location === undefined || one.location === location) &&
      (interviewer === undefined || one.interviewer === interviewer) &&
      one.at >= from &&
      one.at < to &&
      (dismissed.get(one.id) === one.value) === isDismissed,
  );
  return rankedPage(found, page, 'findings', rankOf);
});

export const findingFigure = figure(
  'finding',
  (table, { id, ...args }: FindingsArgs & { id: string }): Finding | null =>
    findAll(table, args).find((one) => one.id === id) ?? null,
);
