/**
 * Keeps incentives consistent with the interviews: every change to which interviews count, or to who recruited whom,
 * calls this in its own transaction. incentives/owed.ts decides what each person is owed.
 */

import type { ClientSession, Types } from 'mongoose';
import { audit, changesOf, type NewAuditEvent } from '../../platform/audit/model.ts';
import { lock } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { HOUR_MS } from '../../platform/lib/day.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { hasIncentives, hasRecruitLimit, incentivesAt } from '../../study/settings/incentives.ts';
import { STUDY_ID, Studies, type StudyRecord } from '../../study/settings/model.ts';
import { type IncentiveRecord, Incentives } from '../incentives/model.ts';
import { type Interview, NOT_PAID, type OwedInput, owed, type Payment } from '../incentives/owed.ts';
import type { HandedOver } from '../incentives/schema.ts';
import { findTextable, newMessage, queueMessages } from '../messages/queue.ts';
import { isInTheSample } from './counted-interviews.ts';
import { interviewEnd } from './interview-times.ts';
import { type FlagRecord, flag, type SurveyRecord, Surveys } from './model.ts';

const FIELDS = {
  status: 1,
  takesPart: 1,
  deletedAt: 1,
  recruiter: 1,
  startedAt: 1,
  completedAt: 1,
  heldAt: 1,
  createdAt: 1,
  location: 1,
  round: 1,
  flags: 1,
} as const;
type SettledSurvey = Pick<SurveyRecord, '_id' | keyof typeof FIELDS>;

/** Whether the person earns an incentive by it, and so does the recruiter. */
const earns = (survey: Pick<SurveyRecord, 'status' | 'takesPart' | 'flags' | 'deletedAt'>): boolean =>
  isInTheSample(survey) && !survey.deletedAt;

/** When it was completed, or arrived if the clock was wrong: decides which settings apply. */
const completedAt = (survey: Omit<SettledSurvey, '_id' | 'recruiter'>) => interviewEnd(survey);

const toInterview = (survey: SettledSurvey): Interview => ({
  _id: survey._id,
  counts: earns(survey),
  at: completedAt(survey),
  location: survey.location,
  round: survey.round,
});

/** A payment made at the interview of this survey. */
interface PaidAtInterview {
  survey: Types.ObjectId;
  payment: Payment;
}

/**
 * What was handed over at an interview that is being completed: a flag if nothing is due. The money is gone all the same,
 * so it is recorded wherever there is an amount.
 */
export function handOver(
  survey: SurveyRecord,
  handed: HandedOver,
  { study, now, by }: { study: StudyRecord; now: Date; by: Types.ObjectId | null },
): { flags: FlagRecord[]; paid: PaidAtInterview } {
  const { method } = handed;
  const reference = handed.reference ?? null;
  const at = completedAt(survey);
  const isDue = earns(survey) && incentivesAt(study, at).interview !== null;
  const flags = isDue ? [] : [{ ...flag('INCENTIVE_NOT_DUE', null, now), method, reference }];
  const { _id, location } = survey;
  const payment = { method, reference, paidBy: by, paidAt: at, recordedAt: now, location };
  return { flags, paid: { survey: _id, payment } };
}

interface Settlement {
  paid?: PaidAtInterview | undefined;
  /** One of the people, stored in this transaction and with no recruits yet: nobody else knows of it. */
  isNew?: SurveyRecord | undefined;
  /** The site of the recruiter of `isNew`, where it is known. */
  recruiterSite?: Types.ObjectId | null | undefined;
  /** For taking a change back: free places go to recruits who had one before. */
  withdrawnFirst?: boolean;
  /** What else happened: stored in the same write. */
  events?: NewAuditEvent[];
}

/** Stores what has changed in what these people are owed. Nothing is read while the study never had incentives. */
export async function settleIncentives(
  session: ClientSession,
  study: StudyRecord,
  people: (Types.ObjectId | null)[],
  author: Author,
  { paid, events = [], withdrawnFirst, ...known }: Settlement = {},
): Promise<void> {
  const found = hasIncentives(study) ? await readChanging(session, study, people, author, known) : [];
  const changes = found.flatMap((one) => {
    const handedOver = paid?.survey.equals(one.survey._id) ? paid.payment : undefined;
    return changedBy(one, owed({ ...one, handedOver, withdrawnFirst }));
  });
  const [first] = changes;
  if (first && study.incentiveCurrency === null) await fixCurrency(session, first.after.currency);
  await writeIncentives(session, changes);
  await queueMoneyDue(session, study, changes, author.now);
  await audit(session, author, ...events, ...changes.flatMap((change) => eventsOf(change)));
}

/** Locks and reads only those who can be owed something else than before. */
async function readChanging(
  session: ClientSession,
  study: StudyRecord,
  people: (Types.ObjectId | null)[],
  { now }: Author,
  { isNew, recruiterSite }: Pick<Settlement, 'isNew' | 'recruiterSite'>,
): Promise<OwedInput[]> {
  const settingsAt = (at: Date) => incentivesAt(study, at);
  const own = isNew && { survey: toInterview(isNew), recruits: [], incentives: [], settingsAt, now };
  const changesOthers = !own || (own.survey.counts && settingsAt(own.survey.at).recruit !== null);
  const ids = changesOthers ? people.filter((id) => id !== null).filter((id) => !isNew?._id.equals(id)) : [];
  // Without a limit, what is owed for a new recruit does not depend on the others.
  const isIndependent = own && !hasRecruitLimit(study);
  const [id] = ids;
  if (isIndependent && id && recruiterSite) {
    // Whether the recruiter counts only matters for what is owed for their own interview.
    const { round } = own.survey;
    const recruiter = { _id: id, counts: false, at: now, location: recruiterSite, round };
    return [own, { ...own, survey: recruiter, recruits: [own.survey] }];
  }
  if (ids.length > 0 && !isIndependent) await lockPeople(session, ids);
  const others = ids.length > 0 ? await readOwed(session, study, ids, now) : [];
  return own ? [own, ...others] : others;
}

export interface IncentiveChange {
  before: IncentiveRecord | null;
  after: IncentiveRecord;
}

export function changedBy({ incentives }: Pick<OwedInput, 'incentives'>, after: IncentiveRecord[]) {
  const known = new Map(incentives.map((one) => [String(one._id), one]));
  return after.map((one): IncentiveChange => ({ before: known.get(String(one._id)) ?? null, after: one }));
}

/**
 * Two recruits of the same person that arrive at the same time would not see each other and could both get the last place.
 * Locks are named by the end of the id, so there are at most 65,536.
 */
export const lockPeople = (session: ClientSession, ids: Types.ObjectId[]): Promise<void> =>
  lock(session, ...ids.map((id) => `incentives ${id.toHexString().slice(-4)}`));

/** What `owed` needs to know of each of these people. */
export async function readOwed(
  session: ClientSession,
  study: StudyRecord,
  ids: Types.ObjectId[],
  now: Date,
): Promise<OwedInput[]> {
  const surveys = await Surveys.collection
    .aggregate<SettledSurvey & { incentives: IncentiveRecord[] }>(
      [
        { $match: { $or: [{ _id: { $in: ids } }, { recruiter: { $in: ids } }] } },
        { $project: { ...FIELDS, review: 1 } },
        {
          $lookup: {
            from: Incentives.collection.name,
            localField: '_id',
            foreignField: 'survey',
            as: 'incentives',
          },
        },
      ],
      { session },
    )
    .toArray();
  surveys.sort(
    (a, b) => +a.createdAt - +b.createdAt || a._id.toHexString().localeCompare(b._id.toHexString()),
  );
  return surveys
    .filter(({ _id }) => ids.some((id) => id.equals(_id)))
    .map((survey) => ({
      survey: toInterview(survey),
      recruits: surveys.filter(({ recruiter }) => recruiter?.equals(survey._id)).map(toInterview),
      incentives: survey.incentives,
      settingsAt: (at) => incentivesAt(study, at),
      now,
    }));
}

export async function storeIncentives(
  session: ClientSession,
  changes: IncentiveChange[],
  author: Author,
  reason?: string,
): Promise<void> {
  await writeIncentives(session, changes);
  await audit(session, author, ...changes.flatMap((change) => eventsOf(change, reason)));
}

async function writeIncentives(session: ClientSession, changes: IncentiveChange[]): Promise<void> {
  if (changes.length === 0) return;
  await Incentives.collection.bulkWrite(
    changes.map(({ before, after }) =>
      before
        ? { replaceOne: { filter: { _id: after._id }, replacement: after } }
        : { insertOne: { document: after } },
    ),
    { session },
  );
}

/** A text about what became due for a recruit, to those who agreed to it. */
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
  const languages = await findTextable(
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

/** From the first incentive on, the currency stays. */
async function fixCurrency(session: ClientSession, currency: string): Promise<void> {
  const same = { $in: [currency, null] };
  const { matchedCount } = await Studies.collection.updateOne(
    { _id: STUDY_ID, incentiveCurrency: same, 'incentives.currency': same },
    { $set: { incentiveCurrency: currency } },
    { session },
  );
  // Another currency was chosen since the study was read.
  if (matchedCount === 0) throw problem('UNAVAILABLE');
}

/** Without the reference, which may be the number of a gift card. */
const forAudit = ({ reference: _, payments: __, updatedAt: ___, ...shown }: IncentiveRecord) => shown;

function eventsOf({ before, after }: IncentiveChange, reason?: string): NewAuditEvent[] {
  const { _id: record, location, site } = after;
  const event = { subject: 'Incentive', record, location: location ?? site, reason } as const;
  const updated = (from: object) =>
    ({ ...event, action: 'update', changes: changesOf(from, forAudit(after)) }) as const;
  if (before) return [updated(forAudit(before))];
  const created = { ...event, action: 'create' } as const;
  if (after.state !== 'PAID') return [created];
  // Paid at the interview: the same event as for any payment, and how much it was.
  const { reference: _, ...unpaid } = NOT_PAID;
  return [created, updated({ ...forAudit(after), ...unpaid, state: 'DUE', amount: null, currency: null })];
}

/** For a coupon presented twice: what its recruiter is owed for it, paid or not, is for the other survey now. */
export async function moveRecruit(
  session: ClientSession,
  study: StudyRecord,
  { recruiter, from, to }: { recruiter: Types.ObjectId | null; from: Types.ObjectId; to: Types.ObjectId },
  author: Author,
): Promise<void> {
  if (!recruiter || !hasIncentives(study)) return;
  await lockPeople(session, [recruiter]);
  const of = { survey: recruiter, kind: 'RECRUIT', recruit: from } as const;
  const before = await Incentives.collection.findOne<IncentiveRecord>(of, { session });
  if (before) {
    const after = { ...before, recruit: to, updatedAt: author.now };
    await storeIncentives(session, [{ before, after }], author);
  }
  await settleIncentives(session, study, [recruiter], author);
}
