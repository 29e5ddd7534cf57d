/**
 * Finds a survey's place in the recruitment tree: below the survey whose code it redeems, or as a new seed. Always runs
 * in the transaction that stores the survey.
 */
import type { ClientSession, Types } from 'mongoose';
import {
  codeFault,
  PROBLEM_BY_CODE_FAULT,
  timeForCouponCheck,
} from '../../../coupons/referral-codes/check.ts';
import type { CouponUpdate } from '../../../coupons/referral-codes/issue.ts';
import { findCode, type ReferralCodeRecord } from '../../../coupons/referral-codes/model.ts';
import type { CodeFault } from '../../../coupons/referral-codes/schema.ts';
import { newSeedWithCode } from '../../../coupons/seeds/create.ts';
import { SeedModel } from '../../../coupons/seeds/model.ts';
import { invalidFieldProblem, problem } from '../../../platform/http/problems/problem.ts';
import { DAY_MS } from '../../../platform/lib/day.ts';
import { isRoundClosedAt, type RoundSpan, roundAt } from '../../../study/rounds/spans.ts';
import { interviewDateByCoupon } from '../dates-by-coupon.ts';
import { isClockOdd } from '../interview-times.ts';
import { type FlagRecord, newFlag, SurveyModel, type SurveyRecord } from '../model.ts';
import type { SurveyCreate } from '../schema.ts';

export interface RecruitmentPlace {
  place: Pick<SurveyRecord, 'referralCode' | 'seed' | 'recruiter' | 'wave'>;
  /** The round of the redeemed code, or the one open on the interview date. */
  round: Types.ObjectId;
  /** The corrected interview date, if the coupon shows that the device's clock was wrong. */
  heldAt?: Date;
  /** Flags for review. */
  flags: FlagRecord[];
  /** Marks the code as used; null if none is redeemed. */
  couponUpdate: CouponUpdate | null;
  /** The code of a walk-in's seed; not stored yet. */
  newCode: ReferralCodeRecord | null;
}

const NO_PLACE = { referralCode: null, seed: null, recruiter: null, wave: null };

/** A referral code as typed, normalized (null if malformed), and its stored record (null if unknown). */
export interface PresentedCoupon {
  text: string;
  code: string | null;
  stored: ReferralCodeRecord | null;
}

type CodeOptions = Pick<SurveyCreate, 'onCodeProblem'> & { isFirst: boolean; rounds: RoundSpan[] };

/** If there is a problem with the code, REJECT refuses the survey and FLAG stores it with a flag. */
export async function resolveRecruitment(
  session: ClientSession,
  survey: SurveyRecord,
  { coupon, walkInCode }: { coupon: PresentedCoupon | null; walkInCode: PresentedCoupon | null },
  { onCodeProblem, isFirst, rounds }: CodeOptions,
): Promise<RecruitmentPlace> {
  if (!coupon) return await createWalkInSeed(session, survey, walkInCode, { onCodeProblem, isFirst, rounds });
  const { text, code } = coupon;
  const now = survey.createdAt;
  const stored = isFirst || !code ? coupon.stored : await findCode(code, session);
  const redemption = code
    ? await redeemCoupon(session, stored, survey, { now, rounds })
    : { fault: 'MALFORMED' as const };
  if (!('fault' in redemption)) {
    const isUnplaced = redemption.flags.some((one) => one.code === 'NO_ROUND');
    if (isUnplaced && onCodeProblem === 'REJECT') throw problem('NO_ROUND');
    return { ...redemption, newCode: null };
  }
  if (onCodeProblem === 'REJECT') throw problem(PROBLEM_BY_CODE_FAULT[redemption.fault]);
  const { round, flags } = roundByDate(rounds, survey.heldAt, now);
  flags.unshift(newFlag(`REFERRAL_CODE_${redemption.fault}`, code ?? text, now));
  return { place: NO_PLACE, round, flags, couponUpdate: null, newCode: null };
}

/**
 * The round of an interview without a chain. If none was open then, the interview is flagged so that it doesn't count.
 */
export function roundByDate(
  rounds: readonly RoundSpan[],
  heldAt: Date,
  now: Date,
): { round: Types.ObjectId; flags: FlagRecord[] } {
  const { round, isOpen } = roundAt(rounds, heldAt);
  return { round, flags: isOpen ? [] : [newFlag('NO_ROUND', null, now)] };
}

/** A walk-in starts a chain: creates a seed with a reserved or new code, which the survey redeems. */
async function createWalkInSeed(
  session: ClientSession,
  survey: SurveyRecord,
  presented: PresentedCoupon | null,
  { onCodeProblem, isFirst, rounds }: CodeOptions,
): Promise<RecruitmentPlace> {
  const { location, createdBy: by, createdAt: now, heldAt: returnedAt } = survey;
  const stored =
    isFirst || !presented?.code ? (presented?.stored ?? null) : await findCode(presented.code, session);
  const reserved = stored && isReservedFor(stored, by) ? stored : null;
  if (presented && !reserved && onCodeProblem === 'REJECT')
    throw invalidFieldProblem('walkInCode', 'CODE_NOT_YOURS');
  const { round, flags } = roundByDate(rounds, returnedAt, now);
  if (flags.length > 0 && onCodeProblem === 'REJECT') throw problem('NO_ROUND');
  const { seed, code } = newSeedWithCode({ kind: 'WALK_IN', location, round, note: null, by, now });
  const referralCode = reserved?.code ?? code.code;
  await SeedModel.collection.insertOne({ ...seed, referralCode, survey: survey._id }, { session });
  const place = { referralCode, seed: seed._id, recruiter: null, wave: 0 };
  const usage = { state: 'USED', redeemedBy: survey._id, redeemedAt: now, returnedAt } as const;
  if (!reserved) {
    if (presented) flags.push(newFlag('ISSUED_CODE_REFUSED', presented.code ?? presented.text, now));
    return { place, round, flags, couponUpdate: null, newCode: { ...code, ...usage } };
  }
  const couponUpdate: CouponUpdate = {
    updateOne: {
      filter: { _id: reserved._id, state: 'RESERVED', seed: null, survey: null },
      update: { $set: { seed: seed._id, round, ...usage } },
    },
  };
  return { place, round, flags, couponUpdate, newCode: null };
}

const isReservedFor = (
  { state, reservedBy, seed, survey }: ReferralCodeRecord,
  user: Types.ObjectId,
): boolean => state === 'RESERVED' && seed === null && survey === null && (reservedBy?.equals(user) ?? false);

type Redemption = Omit<RecruitmentPlace, 'newCode'> & { heldAt: Date };

/**
 * The result of redeeming this code, or why it can't be redeemed. If several surveys redeem it at once, only one
 * succeeds, because `couponUpdate` only matches the code as it was read. `ignoreDates` also accepts expired codes and
 * codes that aren't valid yet, but not for an interview held after the code's round was closed.
 */
export async function redeemCoupon(
  session: ClientSession,
  code: ReferralCodeRecord | null,
  survey: Pick<SurveyRecord, '_id' | 'startedAt' | 'completedAt' | 'heldAt' | 'createdAt'>,
  { now, rounds, ignoreDates = false }: { now: Date; rounds: readonly RoundSpan[]; ignoreDates?: boolean },
): Promise<Redemption | { fault: CodeFault }> {
  if (!code) return { fault: 'UNKNOWN' };
  const { _id: redeemedBy, startedAt } = survey;
  const { heldAt, flags } = interviewDateByCoupon(survey, code, now);
  const isOdd = isClockOdd({ ...survey, heldAt });
  const fault = codeFault(code, timeForCouponCheck(code, { startedAt, isClockOdd: isOdd }, now));
  const isOfDates = fault === 'EXPIRED' || fault === 'NOT_YET';
  if (fault && !(isOfDates && ignoreDates)) return { fault };
  if (isRoundClosedAt(rounds, code.round, heldAt)) return { fault: 'EXPIRED' };
  const { _id, state, survey: recruiter, chain = null, round = null, handedOutAt = null } = code;
  const out = handedOutAt && { daysOut: Math.max(0, Math.floor((+heldAt - +handedOutAt) / DAY_MS)) };
  const taking: CouponUpdate = {
    updateOne: {
      // Everything the decision depends on: any change to a coupon changes one of these.
      filter: { _id, state, survey: recruiter, chain, round, handedOutAt } as never,
      update: { $set: { state: 'USED', redeemedBy, redeemedAt: now, returnedAt: heldAt, ...out } },
    },
  };
  const place = { ...NO_PLACE, ...(await findPlace(session, code, redeemedBy)), referralCode: code.code };
  // A reserved code whose recruiter's survey hasn't arrived yet.
  const isPending = !code.seed && !code.survey;
  if (isPending) flags.push(newFlag('RECRUITER_PENDING', code.code, now));
  const roundMatch = round ? { round, flags: [] } : roundByDate(rounds, heldAt, now);
  flags.push(...roundMatch.flags);
  return { place, round: roundMatch.round, heldAt, couponUpdate: taking, flags };
}

/** The place below the recruiter. It is usually stored with the code, so that nothing has to be read. */
async function findPlace(
  session: ClientSession,
  { seed, survey: recruiter, chain, wave }: ReferralCodeRecord,
  survey: Types.ObjectId,
): Promise<Partial<RecruitmentPlace['place']>> {
  if (seed) {
    await SeedModel.collection.updateOne({ _id: seed }, { $set: { survey } }, { session });
    return { seed, wave: 0 };
  }
  if (!recruiter) return {};
  if (chain && wave !== undefined) return { seed: chain, recruiter, wave: wave + 1 };
  const recruiterRecord = await SurveyModel.findOne({ _id: recruiter }, { seed: 1, wave: 1 })
    .session(session)
    .lean();
  if (recruiterRecord?.seed)
    return {
      seed: recruiterRecord.seed,
      recruiter,
      wave: typeof recruiterRecord.wave === 'number' ? recruiterRecord.wave + 1 : null,
    };
  // The recruiter's own place isn't known yet. Writing to the recruiter makes this transaction conflict with the one
  // that sets the places below it, so that it can't miss this survey.
  await SurveyModel.collection.updateOne(
    { _id: recruiter },
    { $inc: { recruitsWhilePending: 1 } },
    { session },
  );
  return { recruiter };
}
