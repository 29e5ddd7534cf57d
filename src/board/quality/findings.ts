/** All findings of the study, as pure functions of the study table, and pages of them. */
import type { QualityCheckCode } from '../../interviews/surveys/checks.ts';
import { pageOfRanked, type RankedPageQuery } from '../../platform/http/lists/ranked-page.ts';
import type { StudyTable } from '../../statistics/study-table/table.ts';
import { createStudyTableQuery } from '../../statistics/study-table/table-query.ts';
import type { RoundReference } from '../../study/rounds/requested.ts';
import type { StudyIncentiveSettings } from '../../study/settings/incentives.ts';
import { findRecruitBursts } from './checks/coupon-run.ts';
import { findOddDurations } from './checks/durations.ts';
import { findFarFromSite, type SitePositions } from './checks/far-from-site.ts';
import { findOddClocks, findRepeatRespondents } from './checks/flagged.ts';
import { findManyDeclinedInterviews } from './checks/many-declined.ts';
import { findManySkipped } from './checks/many-skipped.ts';
import { findOddSizes } from './checks/odd-sizes.ts';
import { findBackdatedInterviews } from './checks/old-amount.ts';
import { type Finding, severityOf } from './finding.ts';
import { findingGroupsOf, type QualityFindingGroup, severityOfGroup } from './group.ts';

export interface FindingsTableArgs extends SitePositions {
  /** The round of the table. */
  round?: RoundReference;
  /** Ids of the surveys with the flag POSSIBLE_REPEAT that the reader may review. */
  mayReview: string[];
  /** Ids of the surveys that the reader may read; null for all. */
  mayRead: ReadonlySet<string> | null;
  /** The study's current and former incentives. */
  incentives: StudyIncentiveSettings;
}

export const findAllFindings = (table: StudyTable, args: FindingsTableArgs): Finding[] =>
  [
    ...findOddDurations(table),
    ...findManySkipped(table),
    ...findOddSizes(table),
    ...findFarFromSite(table, args),
    ...findRecruitBursts(table),
    ...findBackdatedInterviews(table, args),
    ...findManyDeclinedInterviews(table),
    ...findOddClocks(table),
    ...findRepeatRespondents(table, args.mayReview),
  ].flatMap((one) => visibleTo(args.mayRead, one));

/**
 * The finding as this reader may see it. If they may not read the interview, its position in the list must not reveal
 * the value, and the list must not reveal that it is far from a site: otherwise someone who can move sites could find
 * out where the person was.
 */
function visibleTo(mayRead: FindingsTableArgs['mayRead'], one: Finding): Finding[] {
  const isReadable = one.survey === null || mayRead === null || mayRead.has(one.survey);
  if (isReadable) return [one];
  return one.check === 'FAR_FROM_SITE' ? [] : [{ ...one, times: 1 }];
}

export interface FindingFilter {
  check?: QualityCheckCode | undefined;
  location?: string | undefined;
  interviewer?: string | undefined;
  /** In milliseconds, `to` exclusive. */
  from: number;
  to: number;
  isDismissed: boolean;
  surveys?: ReadonlySet<string> | undefined;
}

interface FilteredArgs extends FindingsTableArgs {
  filter: FindingFilter;
  /** The value at dismissal, by finding id. */
  dismissed: ReadonlyMap<string, Finding['value']>;
}

interface PageArgs extends FilteredArgs {
  page: RankedPageQuery;
}

function findFiltered(table: StudyTable, { filter, dismissed, ...args }: FilteredArgs): Finding[] {
  const { check, location, interviewer, from, to, isDismissed, surveys } = filter;
  return findAllFindings(table, args).filter(
    (one) =>
      (check === undefined || one.check === check) &&
      (location === undefined || one.location === location) &&
      (interviewer === undefined || one.interviewer === interviewer) &&
      (surveys === undefined || (one.survey !== null && surveys.has(one.survey))) &&
      one.at >= from &&
      one.at < to &&
      (dismissed.get(one.id) === one.value) === isDismissed,
  );
}

export const findingsTableQuery = createStudyTableQuery('findings', (table, { page, ...args }: PageArgs) =>
  pageOfRanked(findFiltered(table, args), page, 'findings', severityOf),
);

/** Findings grouped by interviewer and check, worst first. */
export const findingGroupsFromStudyTable = createStudyTableQuery(
  'finding-groups',
  (table, { page, ...args }: PageArgs) =>
    pageOfRanked<QualityFindingGroup>(
      findingGroupsOf(findFiltered(table, args)),
      page,
      'finding-groups',
      severityOfGroup,
    ),
);

/** The interviews with findings, worst first. */
export const surveysWithFindingsTableQuery = createStudyTableQuery(
  'suspects',
  (table, { max, ...args }: FilteredArgs & { max: number }): string[] => {
    const worstFirst = findFiltered(table, args).sort((a, b) => severityOf(b) - severityOf(a));
    return [...new Set(worstFirst.flatMap(({ survey }) => survey ?? []))].slice(0, max);
  },
);

export const findingByIdTableQuery = createStudyTableQuery(
  'finding',
  (table, { id, ...args }: FindingsTableArgs & { id: string }): Finding | null =>
    findAllFindings(table, args).find((one) => one.id === id) ?? null,
);
