/** What the report tells of recruitment beside the sample, read at the sample's instant. */
import type { ClientSession } from 'mongoose';
import { AuditEvents, type Change } from '../audit/model.ts';
import { dayName } from '../lib/day.ts';
import { ReferralCodes } from '../referral-codes/model.ts';
import { Seeds } from '../seeds/model.ts';
import { STUDY_ID } from '../study/model.ts';
import { counts, refuses } from '../surveys/counting.ts';
import { Surveys } from '../surveys/model.ts';

const SCAN = { hint: { $natural: 1 }, maxTimeMS: 20_000 };
/** Settings whose change is a change of method. */
const METHOD = ['couponsPerSurvey', 'couponValidDays', 'couponStartsAfterHours'];
const MOST_CHANGES = 100;
const MOST_SEEDS = 10_000;

export interface ReportCounts {
  interviews: { approached: number; notTakingPart: number; unfinished: number; completed: number };
  codeUsedTwice: number;
  seeds: { day: string; planned: number; walkIns: number }[];
  coupons: { issued: number; returned: number };
  changes: { day: string; setting: string; before: string; after: string }[];
}

export async function reportCounts(session: ClientSession, zone: string): Promise<ReportCounts> {
  return {
    ...(await interviewsBy(session)),
    seeds: await seedsBy(session, zone),
    coupons: await couponsOf(session),
    changes: await changesOf(session, zone),
  };
}

async function interviewsBy(
  session: ClientSession,
): Promise<Pick<ReportCounts, 'interviews' | 'codeUsedTwice'>> {
  const twice = { $in: ['REFERRAL_CODE_USED', { $ifNull: ['$flags.code', []] }] };
  const groups = await Surveys.collection
    .aggregate<{ _id: { status: string; takesPart?: false; twice: boolean }; n: number }>(
      [
        { $match: { deletedAt: null } },
        { $group: { _id: { status: '$status', takesPart: '$takesPart', twice }, n: { $sum: 1 } } },
      ],
      { ...SCAN, session },
    )
    .toArray();
  const sum = (wanted: (id: (typeof groups)[number]['_id']) => boolean) =>
    groups.filter(({ _id }) => wanted(_id)).reduce((all, { n }) => all + n, 0);
  return {
    interviews: {
      approached: sum(() => true),
      notTakingPart: sum(refuses),
      unfinished: sum(({ status }) => status !== 'COMPLETED'),
      completed: sum(counts),
    },
    codeUsedTwice: sum((id) => id.twice),
  };
}

async function seedsBy(session: ClientSession, zone: string): Promise<ReportCounts['seeds']> {
  const found = await Seeds.collection
    .find<{ kind: string; createdAt: Date }>(
      { deletedAt: null },
      { session, projection: { kind: 1, createdAt: 1 }, sort: { createdAt: -1, _id: -1 }, limit: MOST_SEEDS },
    )
    .toArray();
  const days = new Map<string, { planned: number; walkIns: number }>();
  for (const { kind, createdAt } of found.reverse()) {
    const day = dayName(createdAt, zone);
    const of = days.get(day) ?? { planned: 0, walkIns: 0 };
    days.set(day, of);
    if (kind === 'WALK_IN') of.walkIns++;
    else of.planned++;
  }
  return [...days].map(([day, of]) => ({ day, ...of }));
}

async function couponsOf(session: ClientSession): Promise<ReportCounts['coupons']> {
  const groups = await ReferralCodes.collection
    .aggregate<{ _id: string; n: number }>(
      [{ $match: { survey: { $ne: null } } }, { $group: { _id: '$state', n: { $sum: 1 } } }],
      { ...SCAN, session },
    )
    .toArray();
  return {
    issued: groups.reduce((all, { n }) => all + n, 0),
    returned: groups.find(({ _id }) => _id === 'USED')?.n ?? 0,
  };
}

async function changesOf(session: ClientSession, zone: string): Promise<ReportCounts['changes']> {
  const found = await AuditEvents.collection
    .find<{ changes: Change[]; createdAt: Date }>(
      { record: STUDY_ID, 'changes.path': { $in: METHOD } },
      { session, sort: { createdAt: 1, _id: 1 }, limit: MOST_CHANGES },
    )
    .toArray();
  return found.flatMap(({ changes, createdAt }) =>
    changes
      .filter(({ path }) => METHOD.includes(path))
      .map(({ path, before, after }) => ({
        day: dayName(createdAt, zone),
        setting: path,
        before: String(before ?? 'none'),
        after: String(after ?? 'none'),
      })),
  );
}
