/**
 * Keeps incentives consistent with the interviews: every change to which interviews count, or to who recruited whom,
 * calls this in its own transaction. incentives/owed.ts calculates what each person is owed.
 */

import type { ClientSession, Types } from 'mongoose';
import { audit, type NewAuditEvent } from '../../platform/audit/model.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { HOUR_MS } from '../../platform/lib/day.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { hasIncentives, hasRecruitLimit, incentiveSettingsAt } from '../../study/settings/incentives.ts';
import { STUDY_ID, StudyModel, type StudyRecord } from '../../study/settings/model.ts';
import { IncentiveModel, type IncentiveRecord } from '../incentives/model.ts';
import { changedIncentives, type OwedInput, type Payment } from '../incentives/owed.ts';
import type { IncentiveHandedOver } from '../incentives/schema.ts';
import {
  type IncentiveChange,
  incentiveAuditEvents,
  incentiveChangesBetween,
  storeIncentives,
  storeIncentivesWithoutAudit,
} from '../incentives/store.ts';
import { findContactLanguages, newMessage, queueMessages } from '../messages/queue.ts';
import { type FlagRecord, newFlag, type SurveyRecord } from './model.ts';
import {
  completionTime,
  earnsIncentive,
  lockIncentivesOfPeople,
  readOwedInputs,
  toIncentiveInterview,
} from './read-owed.ts';

/** A payment made at the interview of this survey. */
interface PaidAtInterview {
  survey: Types.ObjectId;
  payment: Payment;
}

/**
 * What was handed over when an interview was completed, with a flag if nothing is due. It is recorded whenever there is
 * an amount, because the money is gone.
 */
export function recordIncentiveHandOver(
  survey: SurveyRecord,
  handed: IncentiveHandedOver,
  { study, now, by }: { study: StudyRecord; now: Date; by: Types.ObjectId | null },
): { flags: FlagRecord[]; paid: PaidAtInterview } {
  const { method } = handed;
  const reference = handed.reference ?? null;
  const at = completionTime(survey);
  const isDue = earnsIncentive(survey) && incentiveSettingsAt(study, at).interview !== null;
  const flags = isDue ? [] : [{ ...newFlag('INCENTIVE_NOT_DUE', null, now), method, reference }];
  const { _id, location } = survey;
  const payment = { method, reference, paidBy: by, paidAt: at, recordedAt: now, location };
  return { flags, paid: { survey: _id, payment } };
}

interface Settlement {
  paid?: PaidAtInterview | undefined;
  /**
   * One of the people, stored in this transaction and without recruits so far, so that no other transaction knows of
   * it.
   */
  isNew?: SurveyRecord | undefined;
  /** The site of `isNew`'s recruiter, if known. */
  recruiterSite?: Types.ObjectId | null | undefined;
  /** When undoing a change: free places go to recruits who had one before. */
  withdrawnFirst?: boolean;
  /** Other audit events, stored in the same write. */
  events?: NewAuditEvent[];
}

/** Stores changes in what these people are owed. Reads nothing if the study never had incentives. */
export async function updateOwedIncentives(
  session: ClientSession,
  study: StudyRecord,
  people: (Types.ObjectId | null)[],
  author: Author,
  { paid, events = [], withdrawnFirst, ...recruit }: Settlement = {},
): Promise<void> {
  const inputs = hasIncentives(study) ? await readChanging(session, study, people, author, recruit) : [];
  const changes = inputs.flatMap((one) => {
    const handedOver = paid?.survey.equals(one.survey._id) ? paid.payment : undefined;
    return incentiveChangesBetween(one, changedIncentives({ ...one, handedOver, withdrawnFirst }));
  });
  const [first] = changes;
  if (first && study.incentiveCurrency === null) await fixCurrency(session, first.after.currency);
  await storeIncentivesWithoutAudit(session, changes);
  await queueMoneyDue(session, study, changes, author.now);
  await audit(session, author, ...events, ...changes.flatMap((change) => incentiveAuditEvents(change)));
}

/** Locks and reads only people whose incentives can change. */
async function readChanging(
  session: ClientSession,
  study: StudyRecord,
  people: (Types.ObjectId | null)[],
  { now }: Author,
  { isNew, recruiterSite }: Pick<Settlement, 'isNew' | 'recruiterSite'>,
): Promise<OwedInput[]> {
  const settingsAt = (at: Date) => incentiveSettingsAt(study, at);
  const own = isNew && { survey: toIncentiveInterview(isNew), recruits: [], incentives: [], settingsAt, now };
  const changesOthers = !own || (own.survey.counts && settingsAt(own.survey.at).recruit !== null);
  const ids = changesOthers ? people.filter((id) => id !== null).filter((id) => !isNew?._id.equals(id)) : [];
  // Without a limit, what is owed for a new recruit doesn't depend on other recruits.
  const isIndependent = own && !hasRecruitLimit(study);
  const [id] = ids;
  if (isIndependent && id && recruiterSite) {
    // Whether the recruiter counts only matters for their own interview's incentive.
    const { round } = own.survey;
    const recruiter = { _id: id, counts: false, at: now, location: recruiterSite, round };
    return [own, { ...own, survey: recruiter, recruits: [own.survey] }];
  }
  if (ids.length > 0 && !isIndependent) await lockIncentivesOfPeople(session, ids);
  const others = ids.length > 0 ? await readOwedInputs(session, study, ids, now) : [];
  return own ? [own, ...others] : others;
}

/** Queues texts about what became due for a recruit, to people who agreed to be texted. */
async function queueMoneyDue(
  session: ClientSession,
  { contacts, messages }: StudyRecord,
  changes: IncentiveChange[],
  now: Date,
): Promise<void> {
  if (contacts === 'OFF' || !messages.moneyDue.on) return;
  const due = changes
    .filter(({ before, after }) => after.state === 'DUE' && before?.state !== 'DUE')
    .flatMap(({ after: { _id, kind, survey } }) => (kind === 'RECRUIT' ? [{ _id, survey }] : []));
  if (due.length === 0) return;
  const languages = await findContactLanguages(
    session,
    due.map(({ survey }) => survey),
  );
  const hours = messages.moneyDue.afterHours + 24 * Math.random();
  const sendAt = new Date(now.getTime() + hours * HOUR_MS);
  const queued = due.flatMap(({ _id: incentive, survey }) => {
    const language = languages.get(String(survey));
    return language ? [newMessage({ survey, kind: 'MONEY_DUE', incentive, sendAt }, language, now)] : [];
  });
  await queueMessages(session, queued);
}

/** After the first incentive, the currency can't change. */
async function fixCurrency(session: ClientSession, currency: string): Promise<void> {
  const same = { $in: [currency, null] };
  const { matchedCount } = await StudyModel.collection.updateOne(
    { _id: STUDY_ID, incentiveCurrency: same, 'incentives.currency': same },
    { $set: { incentiveCurrency: currency } },
    { session },
  );
  // The currency was changed after the study was read.
  if (matchedCount === 0) throw problem('UNAVAILABLE');
}

/** For a coupon presented twice: the recruiter's incentive for it, paid or not, now belongs to the other survey. */
export async function moveIncentiveToOtherRecruit(
  session: ClientSession,
  study: StudyRecord,
  { recruiter, from, to }: { recruiter: Types.ObjectId | null; from: Types.ObjectId; to: Types.ObjectId },
  author: Author,
): Promise<void> {
  if (!recruiter || !hasIncentives(study)) return;
  await lockIncentivesOfPeople(session, [recruiter]);
  const of = { survey: recruiter, kind: 'RECRUIT', recruit: from } as const;
  const before = await IncentiveModel.collection.findOne<IncentiveRecord>(of, { session });
  if (before) {
    const after = { ...before, recruit: to, updatedAt: author.now };
    await storeIncentives(session, [{ before, after }], author);
  }
  await updateOwedIncentives(session, study, [recruiter], author);
}
