/** Redeeming a referral code: who recruited whom. Always within the transaction that stores the survey. */
import type { AnyBulkWriteOperation, ClientSession, Types } from 'mongoose';
import { type ReferralCodeRecord, ReferralCodes } from '../referral-codes/model.ts';
import type { CodeFault } from '../referral-codes/schema.ts';
import { broughtAt, faultOf, isInDate } from '../referral-codes/verdict.ts';
import { Seeds } from '../seeds/model.ts';
import { type SurveyRecord, Surveys } from './model.ts';

/** Where a survey stands in the recruitment tree. */
export interface Origin extends Pick<SurveyRecord, 'referralCode' | 'seed' | 'recruiter' | 'wave'> {
  /** The code was reserved in advance, and the survey that handed it out has not arrived. */
  recruiterPending: boolean;
}

export const NO_ORIGIN: Origin = {
  referralCode: null,
  seed: null,
  recruiter: null,
  wave: null,
  recruiterPending: false,
};

const DAY = 86_400_000;
const days = { $floor: { $divide: [{ $subtract: ['$returnedAt', '$handedOutAt'] }, DAY] } };
/** Sets `daysOut` (see ReferralCodeRecord); in the database, since a code is not read before it is taken. */
export const tellDaysOut = {
  $set: {
    daysOut: {
      $cond: [
        { $and: [{ $gt: ['$returnedAt', null] }, { $gt: ['$handedOutAt', null] }] },
        // A device's clock may be behind.
        { $max: [0, days] },
        '$$REMOVE',
      ],
    },
  },
};

/** A coupon that was changed between being read and being taken. */
export class CouponChanged extends Error {}

export interface Taking {
  origin: Origin;
  write: AnyBulkWriteOperation<ReferralCodeRecord>;
}

/**
 * Most interviews bring a coupon that is live, in its dates and from a survey whose place in the tree is known. As it
 * was read before the transaction it tells the newcomer's place, and one write takes it unless it was changed since.
 * Null for any other code, which `redeemCode` takes.
 */
export function takingOf(
  code: ReferralCodeRecord | undefined,
  { _id, startedAt, heldAt }: Pick<SurveyRecord, '_id' | 'startedAt' | 'heldAt'>,
  now: Date,
): Taking | null {
  if (code?.state !== 'LIVE' || !code.survey || !code.chain || code.wave === undefined) return null;
  if (faultOf(code, broughtAt(code, startedAt, now))) return null;
  const { survey: recruiter, chain: seed, wave, handedOutAt } = code;
  const out = handedOutAt && { daysOut: Math.max(0, Math.floor((+heldAt - +handedOutAt) / DAY)) };
  return {
    origin: { referralCode: code.code, seed, recruiter, wave: wave + 1, recruiterPending: false },
    write: {
      updateOne: {
        // All that was decided on: whatever changes a coupon changes one of these.
        filter: {
          _id: code._id,
          state: 'LIVE',
          survey: recruiter,
          chain: seed,
          handedOutAt: handedOutAt ?? null,
        },
        update: {
          $set: { state: 'USED', redeemedBy: _id, redeemedAt: now, returnedAt: heldAt, ...out },
        },
      },
    },
  };
}

/**
 * Takes the code for the survey: of any number of takers one succeeds, the others are told why not. `whateverDates`
 * lets an expired one through, and one that is not valid yet.
 */
export async function redeemCode(
  session: ClientSession,
  code: string,
  survey: Pick<SurveyRecord, '_id' | 'startedAt' | 'heldAt'>,
  { now, whateverDates = false }: { now: Date; whateverDates?: boolean },
): Promise<Origin | { fault: CodeFault }> {
  const { _id, startedAt, heldAt } = survey;
  const taken = await ReferralCodes.collection.findOneAndUpdate(
    {
      code,
      redeemedBy: null,
      state: { $in: ['LIVE', 'RESERVED'] },
      ...(whateverDates ? {} : isInDate(startedAt, now)),
    },
    [{ $set: { state: 'USED', redeemedBy: _id, redeemedAt: now, returnedAt: heldAt } }, tellDaysOut],
    { session },
  );
  if (taken) return await originOf(session, taken as ReferralCodeRecord, _id);
  const found = await ReferralCodes.findOne({ code }).session(session).lean<ReferralCodeRecord>();
  return { fault: faultOf(found, found ? broughtAt(found, startedAt, now) : now) ?? 'USED' };
}

async function originOf(
  session: ClientSession,
  code: ReferralCodeRecord,
  survey: Types.ObjectId,
): Promise<Origin> {
  const referralCode = code.code;
  if (code.seed) {
    await Seeds.collection.updateOne({ _id: code.seed }, { $set: { survey } }, { session });
    return { referralCode, seed: code.seed, recruiter: null, wave: 0, recruiterPending: false };
  }
  if (!code.survey) return { ...NO_ORIGIN, referralCode, recruiterPending: true };
  const { chain: seed, wave } = code;
  if (seed && wave !== undefined) {
    return { referralCode, seed, recruiter: code.survey, wave: wave + 1, recruiterPending: false };
  }
  const recruiter = await Surveys.findOne({ _id: code.survey }, { seed: 1, wave: 1 }).session(session).lean();
  if (!recruiter?.seed) {
    // The recruiter's own place is not known yet. Touching it makes this transaction and the one that fills the
    // recruiter's tree conflict, so that the newcomer can not be missed by it.
    await Surveys.collection.updateOne(
      { _id: code.survey },
      { $inc: { recruitsWhilePending: 1 } },
      { session },
    );
  }
  return {
    referralCode,
    seed: recruiter?.seed ?? null,
    recruiter: code.survey,
    wave: recruiter?.seed && typeof recruiter.wave === 'number' ? recruiter.wave + 1 : null,
    recruiterPending: false,
  };
}
