/** The report's figures about recruitment outside the sample. */
import { SeedModel } from '../../../coupons/seeds/model.ts';
import { AuditEventModel } from '../../../platform/audit/model.ts';
import type { AuditedFieldChange } from '../../../platform/audit/schema.ts';
import { isoDateAt } from '../../../platform/lib/day.ts';
import { QuestionnaireModel } from '../../../questionnaires/model.ts';
import type { RoundWithoutSettings } from '../../../study/rounds/model.ts';
import { STUDY_ID } from '../../../study/settings/model.ts';
import { USED } from '../../study-table/coupons.ts';
import {
  COMPLETED_BIT,
  COUNTED_BIT,
  IN_SAMPLE_BIT,
  NOT_TAKING_PART_BIT,
} from '../../study-table/interviews.ts';
import type { StudyTable } from '../../study-table/table.ts';

/** Settings whose change counts as a change of method. */
const METHOD = ['couponsPerSurvey', 'couponValidDays', 'couponStartsAfterHours'];
const MAX_CHANGES = 100;
const MAX_SEEDS = 10_000;

export interface ReportCounts {
  interviews: {
    approached: number;
    notTakingPart: number;
    unfinished: number;
    completed: number;
    /** Out of the completed ones. */
    rejected: number;
  };
  codeUsedTwice: number;
  /** Interviews whose identity answers match an earlier interview. */
  sameIdentity: number;
  hasIdentityQuestions: boolean;
  seeds: { day: string; planned: number; walkIns: number }[];
  coupons: { issued: number; returned: number };
  changes: { day: string; setting: string; before: string; after: string }[];
}

export function reportCountsOf({
  interviews,
  coupons,
}: StudyTable): Pick<ReportCounts, 'interviews' | 'codeUsedTwice' | 'sameIdentity' | 'coupons'> {
  const counts = { approached: 0, notTakingPart: 0, unfinished: 0, completed: 0, rejected: 0 };
  for (let row = 0; row < interviews.size; row++) {
    if (!interviews.isPresent(row)) continue;
    counts.approached++;
    if (!interviews.is(row, COMPLETED_BIT)) counts.unfinished++;
    if (interviews.is(row, NOT_TAKING_PART_BIT)) counts.notTakingPart++;
    if (interviews.is(row, COUNTED_BIT)) counts.completed++;
    if (interviews.is(row, COUNTED_BIT) && !interviews.is(row, IN_SAMPLE_BIT)) counts.rejected++;
  }
  const handedOut = { issued: 0, returned: 0 };
  for (let row = 0; row < coupons.size; row++) {
    if (coupons.state[row] === 0 || coupons.site.valueOf(row) === '') continue;
    handedOut.issued++;
    if (coupons.state[row] === USED) handedOut.returned++;
  }
  return {
    interviews: counts,
    codeUsedTwice: interviews.presentedTwice.size,
    sameIdentity: interviews.repeats.size,
    coupons: handedOut,
  };
}

/** What the interview table does not know about a round. */
export async function loadReportFactsOfRound(
  zone: string,
  round: RoundWithoutSettings,
): Promise<Pick<ReportCounts, 'hasIdentityQuestions' | 'seeds' | 'changes'>> {
  const [seeds, changes, asking] = await Promise.all([
    seedsBy(zone, round),
    changesOf(zone, round),
    QuestionnaireModel.collection.findOne(
      { 'identityQuestions.0': { $exists: true } },
      { projection: { _id: 1 } },
    ),
  ]);
  return { hasIdentityQuestions: asking !== null, seeds, changes };
}

async function seedsBy(zone: string, { _id: round }: RoundWithoutSettings): Promise<ReportCounts['seeds']> {
  const seeds = await SeedModel.collection
    .find<{ kind: string; createdAt: Date }>(
      { round, deletedAt: null },
      { projection: { kind: 1, createdAt: 1 }, sort: { createdAt: -1, _id: -1 }, limit: MAX_SEEDS },
    )
    .toArray();
  const days = new Map<string, { planned: number; walkIns: number }>();
  for (const { kind, createdAt } of seeds.reverse()) {
    const day = isoDateAt(createdAt, zone);
    const of = days.get(day) ?? { planned: 0, walkIns: 0 };
    days.set(day, of);
    if (kind === 'WALK_IN') of.walkIns++;
    else of.planned++;
  }
  return [...days].map(([day, of]) => ({ day, ...of }));
}

async function changesOf(
  zone: string,
  { openedAt, closedAt }: RoundWithoutSettings,
): Promise<ReportCounts['changes']> {
  const events = await AuditEventModel.collection
    .find<{ changes: AuditedFieldChange[]; createdAt: Date }>(
      {
        record: STUDY_ID,
        'changes.path': { $in: METHOD },
        createdAt: { $gte: openedAt, ...(closedAt && { $lte: closedAt }) },
      },
      { sort: { createdAt: 1, _id: 1 }, limit: MAX_CHANGES },
    )
    .toArray();
  return events.flatMap(({ changes, createdAt }) =>
    changes
      .filter(({ path }) => METHOD.includes(path))
      .map(({ path, before, after }) => ({
        day: isoDateAt(createdAt, zone),
        setting: path,
        before: String(before ?? 'none'),
        after: String(after ?? 'none'),
      })),
  );
}
