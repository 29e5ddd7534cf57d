/** One row per site; sites falling behind their usual pace come first. */
import { pageOfRanked } from '../../platform/http/lists/ranked-page.ts';
import { dayNumberIn, startOfDay } from '../../platform/lib/day.ts';
import { queryStudyTable } from '../../statistics/study-table/ask.ts';
import type { InterviewColumnStore } from '../../statistics/study-table/interviews.ts';
import { createStudyTableQuery } from '../../statistics/study-table/table-query.ts';
import { LocationModel } from '../../study/locations/model.ts';
import { couponCountsBySite, type SiteCoupons } from './coupons.ts';
import { type DailyCount, dailyCounts } from './pace/daily-counts.ts';
import type { ProgressListQuery } from './pace/pace-schema.ts';
import { forEachInterviewWithin, type RecruitmentQueryContext, UNBOUNDED_WINDOW } from './window.ts';

/** Limits the reply; no study has more sites. */
const MAX_SITES = 2_000;

interface SitesArgs extends RecruitmentQueryContext {
  /** Ids of the open locations. */
  openSites: string[];
  /** Id of the location to filter by. */
  site: string | null;
  /** The reader only knows this site, so its share of the total must not be shown. */
  isOnlySite: boolean;
}

export async function siteProgressPage(
  context: RecruitmentQueryContext,
  query: ProgressListQuery,
  only: Pick<SitesArgs, 'site' | 'isOnlySite'>,
  by?: string,
) {
  const locations = await LocationModel.find({ deletedAt: null }, { _id: 1 }).limit(MAX_SITES).lean();
  const openSites = locations.map(({ _id }) => String(_id));
  const rows = await queryStudyTable(sitesStudyTableQuery, { ...context, openSites, ...only }, by);
  return {
    asOf: context.now,
    ...pageOfRanked(rows, query, 'sites', ({ open, behind }) => (open ? behind : -1)),
  };
}

export const sitesStudyTableQuery = createStudyTableQuery(
  'sites',
  ({ interviews, coupons }, { now, zone, openSites, site, isOnlySite }: SitesArgs) => {
    const counts = dailyCounts(interviews, UNBOUNDED_WINDOW, zone);
    const today = dayNumberIn(zone)(now.getTime());
    const bySite = new Map<string, DailyCount[]>(openSites.map((one) => [one, []]));
    for (const count of counts) {
      const ours = bySite.get(count.site);
      if (ours) ours.push(count);
      else bySite.set(count.site, [count]);
    }
    const ofCoupons = new Map(couponCountsBySite(coupons, now).map((one) => [one.site, one]));
    const active = interviewersSince(interviews, startOfDay(today - 6, zone));
    const open = new Set(openSites);
    const all = isOnlySite ? null : sum(counts, 'counted');
    return [...bySite]
      .filter(([one]) => site === null || one === site)
      .map(([one, dailyCounts]) =>
        rowOf(one, today, {
          dailyCounts,
          open: open.has(one),
          all,
          coupons: ofCoupons.get(one),
          interviewers: active.get(one) ?? 0,
        }),
      );
  },
);

/** By site, the number of people who have interviewed there since then. */
function interviewersSince(interviews: InterviewColumnStore, since: number): Map<string, number> {
  const { site, interviewer } = interviews;
  const people = new Map<string, Set<number>>();
  forEachInterviewWithin(interviews, { ...UNBOUNDED_WINDOW, from: since }, (row) => {
    const at = site.valueOf(row);
    people.set(at, (people.get(at) ?? new Set()).add(interviewer.codes[row]!));
  });
  return new Map([...people].map(([at, some]) => [at, some.size]));
}

const sum = (counts: DailyCount[], field: 'counted' | 'refused') =>
  counts.reduce((total, one) => total + one[field], 0);

interface SiteFacts {
  dailyCounts: DailyCount[];
  open: boolean;
  all: number | null;
  coupons: SiteCoupons | undefined;
  interviewers: number;
}

function rowOf(site: string, today: number, { dailyCounts, open, all, coupons, interviewers }: SiteFacts) {
  const counted = dailyCounts.filter((one) => one.counted > 0);
  const between = (from: number, to: number) =>
    sum(
      counted.filter(({ day }) => today - day >= from && today - day <= to),
      'counted',
    );
  const total = sum(counted, 'counted');
  const [last7, before7] = [between(0, 6), between(7, 13)];
  // Whole days only; otherwise sites would appear to fall behind every morning.
  const week = between(1, 7);
  const age = today - 7 - Math.min(...counted.map(({ day }) => day));
  const average = age >= 7 && Number.isFinite(age) ? (7 * (total - between(0, 7))) / age : 0;
  const usual = Math.max(between(8, 14), average);
  const lastAt = Math.max(...counted.map((one) => one.lastAt));
  return {
    id: site,
    location: site,
    open,
    today: between(0, 0),
    last7,
    before7,
    week,
    usual,
    behind: open && usual > week ? (usual - week) / Math.sqrt(usual) : 0,
    total,
    share: all === null ? null : all === 0 ? 0 : total / all,
    lastAt: counted.length > 0 ? new Date(lastAt) : null,
    issued: coupons?.issued ?? 0,
    returned: coupons?.returned ?? 0,
    refusals: sum(dailyCounts, 'refused'),
    interviewers,
  };
}
