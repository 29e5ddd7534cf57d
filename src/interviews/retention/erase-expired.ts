/**
 * Erases data once a round's retention period is over: the contents of all its interviews, as erase.ts does for one;
 * and after the last round's period, the phone numbers of accounts that aren't approved. It works in batches, each a
 * transaction with its audit event, so it can be killed at any time and run again.
 */
import type { ClientSession, Types } from 'mongoose';
import { eraseAuditValues } from '../../platform/audit/erase-values.ts';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { STUDY_ID } from '../../study/settings/model.ts';
import { HAS_PHONE_NUMBER, UserModel } from '../../study/users/model.ts';
import { eraseSurveyContents } from '../surveys/erase.ts';
import { SurveyModel } from '../surveys/model.ts';
import type { ExpiredRounds } from './due.ts';

const BATCH_SIZE = 500;

/** The number of changed or deleted records by collection. */
export type ErasureCounts = Record<string, number>;

interface Running extends ExpiredRounds {
  now: Date;
  /** Called after each batch with the number of interviews or accounts so far; throws to stop. */
  step?: (erasedCount: number) => unknown;
}

/**
 * Running it again erases what was added since. People who signed up after `start` and are still pending keep their
 * phone.
 */
export async function eraseExpired({ now, rounds, start, step = () => {} }: Running): Promise<ErasureCounts> {
  const total: ErasureCounts = {
    surveys: 0,
    surveycopies: 0,
    surveycomments: 0,
    identities: 0,
    contacts: 0,
    cards: 0,
    incentives: 0,
    seeds: 0,
    auditevents: 0,
    users: 0,
  };
  for (const [find, erase] of [
    [surveysAfter(rounds), eraseSurveys],
    ...(start ? [[usersAfter(start), erasePhones(start)] as const] : []),
  ] as const) {
    let last: Types.ObjectId | null = null;
    let erasedCount = 0;
    for (;;) {
      const ids: Types.ObjectId[] = await find(last);
      if (ids.length === 0) break;
      const counts = await inTransaction((session) => erase(session, ids, now));
      for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
      last = ids.at(-1) ?? null;
      erasedCount += ids.length;
      await step(erasedCount);
    }
  }
  return total;
}

const afterId = (last: Types.ObjectId | null) => (last ? { _id: { $gt: last } } : {});

/** In the order of ids, so that one pass sees each record once, even in a dry run. */
const surveysAfter = (rounds: Types.ObjectId[]) => async (last: Types.ObjectId | null) => {
  // Includes erased surveys, because people can still comment on them.
  const filter = { ...afterId(last), round: { $in: rounds } };
  const cursor = SurveyModel.collection.find(filter as object, { projection: { _id: 1 } });
  const some = await cursor.sort({ _id: 1 }).limit(BATCH_SIZE).toArray();
  return some.map(({ _id }) => _id);
};

async function eraseSurveys(
  session: ClientSession,
  ids: Types.ObjectId[],
  now: Date,
): Promise<ErasureCounts> {
  const counts = await eraseSurveyContents(session, ids, now);
  await recordErasure(session, 'erasedInterviews', counts.surveys, now);
  return counts;
}

/** Users who were rejected, moved back to pending, or deleted. */
const notApproved = (start: Date) => ({
  $or: [
    { approvalStatus: 'REJECTED' },
    { approvalStatus: 'PENDING', createdAt: { $lt: start } },
    { deletedAt: { $ne: null } },
  ],
  phone: HAS_PHONE_NUMBER,
});

const usersAfter = (start: Date) => async (last: Types.ObjectId | null) => {
  const cursor = UserModel.collection.find({ ...afterId(last), ...notApproved(start) } as object, {
    projection: { _id: 1 },
  });
  const some = await cursor.sort({ _id: 1 }).limit(BATCH_SIZE).toArray();
  return some.map(({ _id }) => _id);
};

const erasePhones = (start: Date) => async (session: ClientSession, ids: Types.ObjectId[], now: Date) => {
  const { modifiedCount: users } = await UserModel.collection.updateMany(
    { _id: { $in: ids }, ...notApproved(start) } as object,
    // Unique, because phones must be.
    [{ $set: { phone: { $concat: ['erased-', { $toString: '$_id' }] }, updatedAt: now } }],
    { session },
  );
  const auditevents = await eraseAuditValues(session, ids, 'phone');
  await recordErasure(session, 'erasedPhones', users, now);
  return { users, auditevents };
};

async function recordErasure(session: ClientSession, path: string, count: number, now: Date): Promise<void> {
  if (count === 0) return;
  const changes = [{ path, before: null, after: count }];
  await audit(session, { by: null, now }, { action: 'erase', subject: 'Study', record: STUDY_ID, changes });
}
