/** One row per interviewer: interviews, duration, refusals, rejections, flags and skipped questions. */
import { pageOfRanked } from '../../platform/http/lists/ranked-page.ts';
import { DAY_MS, dayNumberIn, startOfDay } from '../../platform/lib/day.ts';
import { fullName } from '../../platform/lib/text/full-name.ts';
import { asSubject } from '../../platform/rights/ability.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { queryStudyTable } from '../../statistics/study-table/ask.ts';
import {
  COUNTED_BIT,
  FLAGGED_BIT,
  IN_SAMPLE_BIT,
  type InterviewColumnStore,
  NOT_TAKING_PART_BIT,
} from '../../statistics/study-table/interviews.ts';
import { createStudyTableQuery } from '../../statistics/study-table/table-query.ts';
import { UserModel } from '../../study/users/model.ts';
import type { ProgressListQuery } from './pace/pace-schema.ts';
import { forEachInterviewWithin, type RecruitmentQueryContext, UNBOUNDED_WINDOW } from './window.ts';

const MINUTE = 60_000;
/** Skipped questions are counted in the interviews of the last `days` days, but in at most `surveys` of them. */
const RECENT_LIMITS = { days: 28, surveys: 20_000 };
/** Longer interviews were probably left open overnight, so their duration is ignored. */
const MAX_MINUTES = 24 * 60;

interface InterviewersArgs extends RecruitmentQueryContext {
  /** Id of the location to filter by. */
  site: string | null;
}

export async function listInterviewerProgress(
  actor: Actor,
  context: RecruitmentQueryContext,
  query: ProgressListQuery,
  site: string | null,
) {
  const rows = await queryStudyTable(interviewerRowsTableQuery, { ...context, site }, String(actor.user._id));
  const { data, ...page } = pageOfRanked(rows, query, 'interviewers', ({ interviews }) => interviews);
  const names = await namesFor(actor, data);
  return { data: data.map((row) => ({ ...row, name: names.get(row.id) ?? null })), ...page };
}

/**
 * The names of a page's people, as far as the caller may read them; includes deleted accounts, since their interviews
 * remain.
 */
async function namesFor({ ability }: Actor, rows: { id: string }[]): Promise<Map<string, string>> {
  const users = await UserModel.find({ _id: { $in: rows.map(({ id }) => id) } }).lean();
  return new Map(
    users
      .filter((user) => ability.can('read', asSubject('User', user)))
      .map((user) => [String(user._id), fullName(user).trim()]),
  );
}

export const interviewerRowsTableQuery = createStudyTableQuery(
  'interviewers',
  ({ interviews }, { now, zone, site }: InterviewersArgs) => {
    const today = dayNumberIn(zone)(now.getTime());
    const [day, week] = [startOfDay(today, zone), startOfDay(today - 6, zone)];
    const { interviewer, heldAt } = interviews;
    const people = interviewer.values.map(emptyRow);
    forEachInterviewWithin(interviews, { ...UNBOUNDED_WINDOW, site }, (row) => {
      const one = people[interviewer.codes[row]!]!;
      one.seen++;
      if (interviews.is(row, FLAGGED_BIT)) one.flags++;
      if (interviews.is(row, NOT_TAKING_PART_BIT)) one.refusals++;
      if (interviews.is(row, COUNTED_BIT) && !interviews.is(row, IN_SAMPLE_BIT)) one.rejected++;
      if (!interviews.is(row, IN_SAMPLE_BIT)) return;
      one.interviews++;
      if (heldAt[row]! >= week) one.last7++;
      if (heldAt[row]! >= day) one.today++;
      const minutes = minutesOf(interviews, row);
      if (minutes !== null) one.minutes.push(minutes);
    });
    for (const row of latest(interviews, site, now.getTime() - RECENT_LIMITS.days * DAY_MS)) {
      const one = people[interviewer.codes[row]!]!;
      one.asked += interviews.askedCounts[row]!;
      one.skipped += interviews.skipped[row]!;
    }
    return people
      .filter(({ seen: interviewCount }) => interviewCount > 0)
      .map(({ seen: _, minutes, ...row }) => ({
        ...row,
        medianMinutes: medianOf(minutes),
        skippedShare: row.asked === 0 ? null : row.skipped / row.asked,
      }));
  },
);

const emptyRow = (id: string) => ({
  id,
  seen: 0,
  interviews: 0,
  today: 0,
  last7: 0,
  refusals: 0,
  rejected: 0,
  flags: 0,
  asked: 0,
  skipped: 0,
  minutes: [] as number[],
});

/** Whole minutes; null if the clock was wrong or the interview took too long. */
function minutesOf({ startedAt, completedAt, heldAt }: InterviewColumnStore, row: number): number | null {
  const took = completedAt[row]! - startedAt[row]!;
  if (!(took >= 0) || startedAt[row] !== heldAt[row]) return null;
  const minutes = Math.floor(took / MINUTE);
  return minutes < MAX_MINUTES ? minutes : null;
}

/** Rows of interviews in the sample since then, limited to the latest ones. */
function latest(interviews: InterviewColumnStore, site: string | null, since: number): number[] {
  const rows: number[] = [];
  forEachInterviewWithin(interviews, { ...UNBOUNDED_WINDOW, site, from: since }, (row) => {
    if (interviews.is(row, IN_SAMPLE_BIT)) rows.push(row);
  });
  if (rows.length <= RECENT_LIMITS.surveys) return rows;
  return rows.sort((a, b) => interviews.heldAt[b]! - interviews.heldAt[a]!).slice(0, RECENT_LIMITS.surveys);
}

function medianOf(minutes: number[]): number | null {
  if (minutes.length === 0) return null;
  const sorted = Int32Array.from(minutes).sort();
  const last = sorted.length - 1;
  return (sorted[Math.floor(last / 2)]! + sorted[Math.ceil(last / 2)]!) / 2;
}
