/**
 * Where a survey stands in the recruitment tree: by the referral code that it redeems, else as the first of a chain of
 * its own. Always within the transaction that stores the survey.
 */
import type { ClientSession, Types } from 'mongoose';
import { problem } from '../http/problem.ts';
import type { Taking } from '../referral-codes/issue.ts';
import { findCode, type ReferralCodeRecord } from '../referral-codes/model.ts';
import type { CodeFault } from '../referral-codes/schema.ts';
import { broughtAt, faultOf, REFUSALS } from '../referral-codes/verdict.ts';
import { Seeds } from '../seeds/model.ts';
import { newSeed } from '../seeds/plant.ts';
import { type FlagRecord, flag, type SurveyRecord, Surveys } from './model.ts';
import type { SurveyCreate } from './schema.ts';

export interface Origin {
  place: Pick<SurveyRecord, 'referralCode' | 'seed' | 'recruiter' | 'wave'>;
  /** What a person should look at. */
  flags: FlagRecord[];
  /** Takes the code; null where none is redeemed. */
  taking: Taking | null;
  /** Of the seed that was made for a walk-in; not stored yet. */
  newCode: ReferralCodeRecord | null;
}

const NOWHERE = { referralCode: null, seed: null, recruiter: null, wave: null };

/** A referral code as it was sent, in its canonical form if it has one, and as it is stored if it is. */
export interface Brought {
  text: string;
  code: string | null;
  stored: ReferralCodeRecord | null;
}

/** With REJECT a fault of the code refuses the survey, with FLAG it is kept in a flag. */
export async function originOf(
  session: ClientSession,
  survey: SurveyRecord,
  brought: Brought | null,
  { onCodeProblem, isFirst }: Pick<SurveyCreate, 'onCodeProblem'> & { isFirst: boolean },
): Promise<Origin> {
  if (!brought) return await ofWalkIn(session, survey);
  const { text, code } = brought;
  const now = survey.createdAt;
  const stored = isFirst || !code ? brought.stored : await findCode(code, session);
  const found = code ? await redeem(session, stored, survey, { now }) : { fault: 'MALFORMED' as const };
  if (!('fault' in found)) return { ...found, newCode: null };
  if (onCodeProblem === 'REJECT') throw problem(REFUSALS[found.fault]);
  const flags = [flag(`REFERRAL_CODE_${found.fault}`, code ?? text, now)];
  return { place: NOWHERE, flags, taking: null, newCode: null };
}

/** A person without a coupon starts a chain: a seed is made whose code this survey redeems. */
async function ofWalkIn(session: ClientSession, survey: SurveyRecord): Promise<Origin> {
  const { location, createdBy: by, createdAt: now, heldAt: returnedAt } = survey;
  const { seed, code } = newSeed({ kind: 'WALK_IN', location, note: null, by, now });
  await Seeds.collection.insertOne({ ...seed, survey: survey._id }, { session });
  const place = { referralCode: code.code, seed: seed._id, recruiter: null, wave: 0 };
  const taken = { state: 'USED', redeemedBy: survey._id, redeemedAt: now, returnedAt } as const;
  return { place, flags: [], taking: null, newCode: { ...code, ...taken } };
}

const DAY = 86_400_000;
type Redeemed = Omit<Origin, 'newCode'>;

/**
 * What redeeming this code makes of the survey, or why it can't. Of any number of takers one succeeds, since `taking`
 * finds the code only as it was read. `whateverDates` lets an expired one through, and one that is not valid yet.
 */
export async function redeem(
  session: ClientSession,
  code: ReferralCodeRecord | null,
  survey: Pick<SurveyRecord, '_id' | 'startedAt' | 'heldAt'>,
  { now, whateverDates = false }: { now: Date; whateverDates?: boolean },
): Promise<Redeemed | { fault: CodeFault }> {
  if (!code) return { fault: 'UNKNOWN' };
  const { _id: redeemedBy, startedAt, heldAt } = survey;
  const fault = faultOf(code, broughtAt(code, startedAt, now));
  const isOfDates = fault === 'EXPIRED' || fault === 'NOT_YET';
  if (fault && !(isOfDates && whateverDates)) return { fault };
  const { _id, state, survey: recruiter, chain = null, handedOutAt = null } = code;
  const out = handedOutAt && { daysOut: Math.max(0, Math.floor((+heldAt - +handedOutAt) / DAY)) };
  const taking: Taking = {
    updateOne: {
      // All that is decided on: whatever changes a coupon changes one of these.
      filter: { _id, state, survey: recruiter, chain, handedOutAt } as never,
      update: { $set: { state: 'USED', redeemedBy, redeemedAt: now, returnedAt: heldAt, ...out } },
    },
  };
  const place = { ...NOWHERE, ...(await placeBelow(session, code, redeemedBy)), referralCode: code.code };
  // Reserved in advance, and the survey that handed it out has not arrived.
  const isPending = !code.seed && !code.survey;
  return { place, taking, flags: isPending ? [flag('RECRUITER_PENDING', code.code, now)] : [] };
}

/** Below whoever handed the code out. Mostly its place stands with the code, and nothing needs to be read. */
async function placeBelow(
  session: ClientSession,
  { seed, survey: recruiter, chain, wave }: ReferralCodeRecord,
  survey: Types.ObjectId,
): Promise<Partial<Origin['place']>> {
  if (seed) {
    await Seeds.collection.updateOne({ _id: seed }, { $set: { survey } }, { session });
    return { seed, wave: 0 };
  }
  if (!recruiter) return {};
  if (chain && wave !== undefined) return { seed: chain, recruiter, wave: wave + 1 };
  const found = await Surveys.findOne({ _id: recruiter }, { seed: 1, wave: 1 }).session(session).lean();
  if (found?.seed)
    return { seed: found.seed, recruiter, wave: typeof found.wave === 'number' ? found.wave + 1 : null };
  // The recruiter's own place is not known yet. Touching it makes this transaction and the one that fills the
  // recruiter's tree conflict, so that the newcomer can not be missed by it.
  await Surveys.collection.updateOne({ _id: recruiter }, { $inc: { recruitsWhilePending: 1 } }, { session });
  return { recruiter };
}

const days = { $floor: { $divide: [{ $subtract: ['$returnedAt', '$handedOutAt'] }, DAY] } };
/** Sets `daysOut` (see ReferralCodeRecord) where a code's dates are changed without its being read. */
export const setDaysOut = {
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
