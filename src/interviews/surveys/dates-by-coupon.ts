/** Detects wrong device clocks by coupons: nobody can come with a coupon before it was handed out. */
import type { ClientSession, Types } from 'mongoose';
import { circulatingSince } from '../../coupons/referral-codes/check.ts';
import {
  ReferralCodeModel,
  type ReferralCodeRecord,
  SET_COUPON_DAYS_OUT,
} from '../../coupons/referral-codes/model.ts';
import { audit, changesOf } from '../../platform/audit/model.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { earliestPossibleStart, isClockOdd, isStartImpossible } from './interview-times.ts';
import { type FlagRecord, newFlag, SurveyModel, type SurveyRecord } from './model.ts';

type Code = Pick<ReferralCodeRecord, 'handedOutAt' | 'createdAt' | 'redeemedAt' | 'redeemedBy' | 'validFrom'>;
type TimedSurvey = Pick<SurveyRecord, '_id' | 'startedAt' | 'completedAt' | 'heldAt' | 'createdAt'>;

/**
 * The earliest times at which someone can have had this coupon. A survey's own redemption says nothing about its clock.
 */
export function possibleStartsOfCoupon(code: Code | null, survey?: Pick<SurveyRecord, '_id'>): Date[] {
  if (!code) return [];
  const isOwn = survey !== undefined && code.redeemedBy?.equals(survey._id);
  return [circulatingSince(isOwn ? { ...code, redeemedAt: null } : code), code.createdAt];
}

/** The interview date of a survey with this coupon, plus a flag if the coupon shows that its clock was wrong. */
export function interviewDateByCoupon(
  survey: TimedSurvey,
  code: Code,
  now: Date,
): { heldAt: Date; flags: FlagRecord[] } {
  const { heldAt, createdAt } = survey;
  const isKnown = isClockOdd(survey);
  if (
    isKnown ||
    !isStartImpossible(survey, earliestPossibleStart(createdAt, possibleStartsOfCoupon(code, survey)))
  )
    return { heldAt, flags: [] };
  return { heldAt: createdAt, flags: [newFlag('CLOCK_ODD', null, now)] };
}

/** Corrects the dates of surveys with a wrong clock once their recruiter has arrived, which dates their coupons. */
export async function correctRecruitDates(
  session: ClientSession,
  recruits: Types.ObjectId[],
  author: Author,
): Promise<Types.ObjectId[]> {
  const times = { startedAt: 1, completedAt: 1, heldAt: 1, createdAt: 1 };
  const fields = { ...times, location: 1, flags: 1, referralCode: 1 };
  const surveys = await SurveyModel.find({ _id: { $in: recruits } }, fields)
    .session(session)
    .lean<SurveyRecord[]>();
  const redeemed = surveys.flatMap(({ referralCode }) => referralCode ?? []);
  const codes = await ReferralCodeModel.find({ code: { $in: redeemed } })
    .session(session)
    .lean<ReferralCodeRecord[]>();
  const surveyIds: Types.ObjectId[] = [];
  for (const survey of surveys) {
    const code = codes.find((one) => one.code === survey.referralCode);
    const judged = code && interviewDateByCoupon(survey, code, author.now);
    if (!judged?.flags.length) continue;
    await countByArrival(session, survey, judged, author);
    surveyIds.push(survey._id);
  }
  return surveyIds;
}

async function countByArrival(
  session: ClientSession,
  survey: SurveyRecord,
  judged: ReturnType<typeof interviewDateByCoupon>,
  author: Author,
): Promise<void> {
  const { _id, location, createdAt, flags, referralCode } = survey;
  const after = { heldAt: judged.heldAt, flags: [...flags, ...judged.flags] };
  await SurveyModel.collection.updateOne({ _id }, { $set: after }, { session });
  await dateCouponsByArrival(session, survey);
  const returned = [{ $set: { returnedAt: createdAt } }, SET_COUPON_DAYS_OUT];
  await ReferralCodeModel.collection.updateOne({ code: referralCode ?? '' }, returned, { session });
  const changes = changesOf({ heldAt: survey.heldAt, flags }, after);
  await audit(session, author, { action: 'update', subject: 'Survey', record: _id, location, changes });
}

const isEarly = (at: Date) => ({ $and: [{ $gt: ['$handedOutAt', null] }, { $lt: ['$handedOutAt', at] }] });

/**
 * Coupons handed out by a device with a wrong clock are valid from the interview's arrival, so that nobody is turned
 * away.
 */
export async function dateCouponsByArrival(
  session: ClientSession,
  { _id: survey, createdAt: at }: Pick<SurveyRecord, '_id' | 'createdAt'>,
): Promise<void> {
  const later = (field: string) => ({
    [field]: {
      $cond: [
        { $gt: [`$${field}`, null] },
        { $add: [`$${field}`, { $subtract: [at, '$handedOutAt'] }] },
        null,
      ],
    },
  });
  await ReferralCodeModel.collection.updateMany(
    { survey, $expr: isEarly(at) },
    [
      { $set: { ...later('validFrom'), ...later('expiresAt') } },
      { $set: { handedOutAt: at } },
      SET_COUPON_DAYS_OUT,
    ],
    { session },
  );
}
