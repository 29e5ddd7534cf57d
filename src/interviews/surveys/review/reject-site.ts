/**
 * Rejects all interviews of a site on certain days, for an operator, and undoes exactly that: a review without an
 * account (`by` null) is always one of these. The recruits of one person are rejected in one transaction, so that free
 * places within the limit are reassigned only once. Can be killed at any time and run again.
 */
import type { ClientSession, Types } from 'mongoose';
import { inTransaction, OPERATOR_RETRY_LIMIT_MS } from '../../../platform/db/transaction.ts';
import type { Author } from '../../../platform/rights/actor.ts';
import { currencyDecimals, hasIncentives } from '../../../study/settings/incentives.ts';
import { loadStudy, type StudyRecord } from '../../../study/settings/model.ts';
import type { IncentiveRecord } from '../../incentives/model.ts';
import { changedIncentives, type InterviewForIncentives, type OwedInput } from '../../incentives/owed.ts';
import { incentiveChangesBetween } from '../../incentives/store.ts';
import { type ReviewRecord, SurveyModel, type SurveyRecord } from '../model.ts';
import { readOwedInputs } from '../read-owed.ts';
import { updateOwedIncentives } from '../settle-incentives.ts';
import { newReviewTime, withoutPreviousReview, writeReview } from './store-review.ts';

export interface SiteRejectionRequest {
  location: Types.ObjectId;
  /** By interview date. */
  start: Date;
  /** Exclusive. */
  end: Date;
  /** Undo the rejections. */
  undo: boolean;
}

/** Interviews per transaction, and people whose incentives are read at once. */
const BATCH_SIZE = 100;

const siteDaysFilter = ({ location, start, end }: SiteRejectionRequest) => ({
  location,
  deletedAt: null,
  heldAt: { $gte: start, $lt: end },
});
const REJECTED_BY_OPERATOR = { 'review.state': 'REJECTED', 'review.by': null } as const;
const REJECTABLE = { status: 'COMPLETED', 'review.state': { $ne: 'REJECTED' } } as const;
const affectedFilter = (days: SiteRejectionRequest) => ({
  ...siteDaysFilter(days),
  ...(days.undo ? REJECTED_BY_OPERATOR : REJECTABLE),
});

type ChosenInterview = Pick<SurveyRecord, '_id' | 'recruiter' | 'takesPart'>;

async function findChosen(days: SiteRejectionRequest): Promise<ChosenInterview[]> {
  const fields = { _id: 1, recruiter: 1, takesPart: 1 } as const;
  return await SurveyModel.find(affectedFilter(days), fields).sort({ heldAt: 1 }).lean<ChosenInterview[]>();
}

export interface IncentiveTotal {
  count: number;
  /** In the study's currency. */
  amount: string;
}

export interface RejectionConsequences {
  interviews: number;
  /** Left unchanged: already rejected (when undoing: rejected by a person), and unfinished. */
  rejected: number;
  unfinished: number;
  currency: string | null;
  /** No longer owed, newly owed, and already paid for these interviews. */
  withdrawn: IncentiveTotal;
  due: IncentiveTotal;
  paid: IncentiveTotal;
}

/** What the decision would change, calculated by the same rules. */
export async function previewSiteRejection(
  days: SiteRejectionRequest,
  now: Date,
): Promise<RejectionConsequences> {
  const interviews = await findChosen(days);
  const isRejected = { ...siteDaysFilter(days), 'review.state': 'REJECTED' } as const;
  const [rejected, unfinished] = await Promise.all([
    SurveyModel.countDocuments(days.undo ? { ...isRejected, 'review.by': { $ne: null } } : isRejected),
    SurveyModel.countDocuments({ ...siteDaysFilter(days), status: 'IN_PROGRESS' }),
  ]);
  const study = await loadStudy();
  const money = await moneyOf(interviews, days, study, now);
  const sum = (incentives: IncentiveRecord[]): IncentiveTotal => ({
    count: incentives.length,
    amount: incentives
      .reduce((total, { amount }) => total + Number(amount), 0)
      .toFixed(currencyDecimals(study.incentiveCurrency ?? 'USD')),
  });
  return {
    interviews: interviews.length,
    rejected,
    unfinished,
    currency: study.incentiveCurrency,
    withdrawn: sum(money.withdrawn),
    due: sum(money.due),
    paid: sum(money.paid),
  };
}

async function moneyOf(
  interviews: ChosenInterview[],
  { undo }: SiteRejectionRequest,
  study: StudyRecord,
  now: Date,
) {
  const money = {
    withdrawn: [] as IncentiveRecord[],
    due: [] as IncentiveRecord[],
    paid: [] as IncentiveRecord[],
  };
  if (!hasIncentives(study)) return money;
  const counting = new Map(
    interviews.map(({ _id, takesPart }) => [String(_id), undo && takesPart !== false]),
  );
  const changed = (one: InterviewForIncentives) => ({
    ...one,
    counts: counting.get(String(one._id)) ?? one.counts,
  });
  const ids = interviews.flatMap(({ _id, recruiter }) => (recruiter ? [_id, recruiter] : [_id]));
  const people = [...new Map(ids.map((id) => [String(id), id])).values()];
  for (const some of batchesOf(people)) {
    const owedInputs = await inTransaction((session) => readOwedInputs(session, study, some, now));
    for (const person of owedInputs) {
      const { survey, recruits, incentives } = person;
      const after: OwedInput = {
        ...person,
        survey: changed(survey),
        recruits: recruits.map(changed),
        withdrawnFirst: undo,
      };
      for (const { before, after: one } of incentiveChangesBetween(person, changedIncentives(after))) {
        if (one.state === 'DUE') money.due.push(one);
        else if (before?.state === 'DUE') money.withdrawn.push(one);
      }
      const isOfThese = (one: IncentiveRecord) => counting.has(String(one.recruit ?? one.survey));
      money.paid.push(...incentives.filter((one) => one.state === 'PAID' && isOfThese(one)));
    }
  }
  return money;
}

function batchesOf<T>(all: T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH_SIZE) }, (_, at) =>
    all.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  );
}

interface SiteDecision extends Author {
  by: null;
  reason: string | undefined;
  /** Called after each transaction; throws to stop. */
  step(processedCount: number, total: number): void;
}

/** Returns the number of interviews that were rejected or restored. */
export async function rejectSiteInterviews(
  days: SiteRejectionRequest,
  decision: SiteDecision,
): Promise<number> {
  const interviews = await findChosen(days);
  const groups = new Map<string, Types.ObjectId[]>();
  for (const { _id, recruiter } of interviews) {
    const key = String(recruiter ?? _id);
    groups.set(key, [...(groups.get(key) ?? []), _id]);
  }
  let [processedCount, decided] = [0, 0];
  for (const ids of [...groups.values()].flatMap((group) => batchesOf(group))) {
    const decide = (session: ClientSession) => decideBatch(session, ids, days, decision);
    decided += await inTransaction(decide, undefined, OPERATOR_RETRY_LIMIT_MS);
    processedCount += ids.length;
    decision.step(processedCount, interviews.length);
  }
  return decided;
}

async function decideBatch(
  session: ClientSession,
  ids: Types.ObjectId[],
  days: SiteRejectionRequest,
  { by, now, reason: comment }: SiteDecision,
): Promise<number> {
  const author = { by, now };
  // Someone may have reviewed, moved or deleted one of them in the meantime.
  const surveys = await SurveyModel.find({ _id: { $in: ids }, ...affectedFilter(days) })
    .session(session)
    .lean<SurveyRecord[]>();
  for (const before of surveys) {
    const review = days.undo ? (before.review?.previous ?? undefined) : rejection(before, now);
    await writeReview(session, author, { before, review, comment });
  }
  const people = surveys.flatMap(({ _id, recruiter }) => [_id, recruiter]);
  await updateOwedIncentives(session, await loadStudy(session), people, author, {
    withdrawnFirst: days.undo,
  });
  return surveys.length;
}

function rejection(before: SurveyRecord, now: Date): ReviewRecord {
  const previous = before.review ? withoutPreviousReview(before.review) : null;
  return { state: 'REJECTED', by: null, at: newReviewTime(before, now), previous };
}
