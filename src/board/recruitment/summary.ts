/** The recruitment board in one reply. */
import { dayOfNumber } from '../../platform/lib/day.ts';
import { queryStudyTable } from '../../statistics/study-table/ask.ts';
import type { StudyTable } from '../../statistics/study-table/table.ts';
import { createStudyTableQuery } from '../../statistics/study-table/table-query.ts';
import { loadStudyAsOfRound } from '../../study/rounds/requested.ts';
import { alertsOf, surveysWithReusedCoupon } from './alerts.ts';
import { summarizeChains } from './chains/chains.ts';
import { countCoupons, couponCountsBySite } from './coupons.ts';
import { dailyCounts } from './pace/daily-counts.ts';
import { countByRecruits, sitesWithoutReturns } from './recruits.ts';
import type { RecruitmentSummaryQuery } from './schema.ts';
import { countInterviews } from './totals.ts';
import { type RecruitmentQueryContext, type SitePeriod, windowOf } from './window.ts';

interface SummaryArgs extends RecruitmentQueryContext {
  window: SitePeriod;
  /** Id of a location, if the reader is restricted to one. */
  site: string | null;
  target: number | null;
}

export async function loadBoardSummary(
  context: RecruitmentQueryContext,
  query: RecruitmentSummaryQuery,
  site: string | null = null,
  by?: string,
) {
  const window = windowOf(site === null ? query : { ...query, location: site }, context.zone);
  const { targetSampleSize } = await loadStudyAsOfRound(context.round?.id);
  // The target is for the whole study.
  const target = site === null ? targetSampleSize : null;
  return await queryStudyTable(recruitmentSummaryTableQuery, { ...context, window, site, target }, by);
}

export const recruitmentSummaryTableQuery = createStudyTableQuery(
  'recruitment summary',
  (table, args: SummaryArgs) =>
    args.site === null ? studyPart(table, args) : sitePart(table, args, args.site),
);

function studyPart(table: StudyTable, args: SummaryArgs) {
  const { window, now } = args;
  const { totals, ...counted } = interviewPart(table, args);
  const { walkIns, died, diedTotal, ...chains } = summarizeChains(table, window, now);
  return {
    ...counted,
    totals: { ...totals, walkIns },
    ...chains,
    recruitsEach: countByRecruits(table.interviews, window),
    ...countCoupons(table.coupons, now),
    bySiteCoupons: siteCoupons(table, now),
    ...alertsOf({
      chains: { died, diedTotal },
      sites: sitesWithoutReturns(table.interviews, now),
      twice: surveysWithReusedCoupon(table.interviews, null),
    }),
  };
}

/** The part that belongs to one site: its interviews, the coupons handed out there, and alerts. */
function sitePart(table: StudyTable, args: SummaryArgs, site: string) {
  return {
    ...interviewPart(table, args),
    bySiteCoupons: siteCoupons(table, args.now).filter(({ location }) => location === site),
    ...alertsOf({
      chains: { died: [], diedTotal: 0 },
      sites: sitesWithoutReturns(table.interviews, args.now).filter((one) => one.site === site),
      twice: surveysWithReusedCoupon(table.interviews, site),
    }),
  };
}

function interviewPart({ interviews }: StudyTable, { now, zone, window, target }: SummaryArgs) {
  const { totals, waves } = countInterviews(interviews, window);
  const counts = dailyCounts(interviews, window, zone);
  return {
    asOf: now,
    timeZone: zone,
    totals: { ...totals, target },
    byDay: counts
      .sort((a, b) => a.day - b.day || (a.site < b.site ? -1 : 1))
      .map(({ day, site, surveys }) => ({ day: dayOfNumber(day), location: site, surveys })),
    waves,
  };
}

const siteCoupons = ({ coupons }: StudyTable, now: Date) =>
  couponCountsBySite(coupons, now).map(({ site, issued, returned }) => ({
    location: site,
    issued,
    returned,
  }));
