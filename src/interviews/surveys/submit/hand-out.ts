/** The codes of a survey's coupons: those handed out offline (from a reserved block or a batch) and new ones. */
import type { ClientSession, Types } from 'mongoose';
import { parseCode, plainCode } from '../../../coupons/referral-codes/code.ts';
import { newCodes, storeCodes } from '../../../coupons/referral-codes/issue.ts';
import {
  ReferralCodeModel,
  type ReferralCodeRecord,
  SET_COUPON_DAYS_OUT,
} from '../../../coupons/referral-codes/model.ts';
import { fieldError } from '../../../platform/http/problems/error-codes.ts';
import { type Problem, problem } from '../../../platform/http/problems/problem.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/lib/day.ts';
import type { StudyRecord } from '../../../study/settings/model.ts';
import { isClockOdd } from '../interview-times.ts';
import { type FlagRecord, newFlag, type SurveyRecord } from '../model.ts';
import { findSelfAndAncestors } from '../recruitment-tree.ts';
import type { SurveyCreate } from '../schema.ts';
import type { RecruitmentPlace } from './redeem-coupon.ts';

interface HandedOutCodes {
  codes: string[];
  flags: FlagRecord[];
  recruits: Types.ObjectId[];
}

/**
 * Assigns all codes of a survey that is being stored, and in the same command redeems the presented coupon or stores
 * the new code of a walk-in.
 */
export async function assignCodes(
  session: ClientSession,
  survey: SurveyRecord,
  { issuedCodes: texts, onCodeProblem }: SurveyCreate,
  {
    study,
    couponUpdate,
    newCode: own,
  }: Pick<RecruitmentPlace, 'couponUpdate' | 'newCode'> & { study: StudyRecord },
): Promise<HandedOutCodes> {
  const { createdBy: user, createdAt: now, completedAt, status } = survey;
  const at = isClockOdd(survey) ? now : (completedAt ?? now);
  const { accepted, refused, recruits } = await handOutCoupons(session, texts, { survey, user, study, at });
  if (refused.length > 0 && onCodeProblem === 'REJECT')
    throw refusedCodesProblem(refused.map(({ index }) => index));
  const handedOut = accepted.length;
  const issued = status === 'COMPLETED' ? createMissingCodes(survey, { study, handedOut, now }) : [];
  await storeCodes(session, own ? [own, ...issued] : issued, couponUpdate);
  const codes = [...accepted, ...issued.map(({ code }) => code)];
  return {
    codes,
    flags: refused.map(({ text }) => newFlag('ISSUED_CODE_REFUSED', plainCode(text), now)),
    recruits,
  };
}

/** 400 with the position of each refused code in the request. */
export function refusedCodesProblem(places: number[]): Problem {
  return problem('VALIDATION_ERROR', {
    errors: places.map((at) => fieldError(`issuedCodes.${at}`, 'CODE_NOT_YOURS')),
  });
}

/** When a coupon becomes valid and expires, in milliseconds after it is handed out, by the study's current settings. */
function validityPeriod({ couponStartsAfterHours, couponValidDays }: StudyRecord) {
  const start = couponStartsAfterHours * HOUR_MS;
  return {
    validFrom: start > 0 ? start : null,
    expiresAt: couponValidDays === null ? null : start + couponValidDays * DAY_MS,
  };
}

/** The update for codes handed out at `at`, but not before they were created. */
function handOutUpdate(study: StudyRecord, at: Date): object[] {
  const { validFrom, expiresAt } = validityPeriod(study);
  const after = (time: number | null) => (time === null ? null : { $add: ['$handedOutAt', time] });
  return [
    { $set: { handedOutAt: { $max: [at, '$createdAt'] } } },
    { $set: { validFrom: after(validFrom), expiresAt: after(expiresAt) } },
  ];
}

type Issuer = Pick<SurveyRecord, '_id' | 'seed' | 'wave' | 'location' | 'round'>;

/** The fields of a code about the survey that handed it out. */
const codeOrigin = ({ _id: survey, seed, wave, location, round }: Issuer) => ({
  survey,
  location,
  round,
  ...(seed && wave !== null ? { chain: seed, wave } : {}),
});

interface HandedOut {
  /** Codes (normalized) that now belong to this survey. */
  accepted: string[];
  /** As typed, with their position in the request. */
  refused: { index: number; text: string }[];
  /** Surveys that redeemed one of the accepted codes before this survey arrived. */
  recruits: Types.ObjectId[];
}

/**
 * Assigns reserved codes to this survey. Refuses codes that are neither the caller's nor from a batch, were handed out by
 * another survey, are void, occur twice, were redeemed by an ancestor of this survey, or exceed the study's limit.
 */
export async function handOutCoupons(
  session: ClientSession,
  texts: string[],
  context: {
    survey: Issuer & Pick<SurveyRecord, 'recruiter' | 'referralCode'>;
    user: Types.ObjectId;
    study: StudyRecord;
    at: Date;
    /** How many more codes the survey may hand out; by default the study's limit. */
    max?: number;
  },
): Promise<HandedOut> {
  const result: HandedOut = { accepted: [], refused: [], recruits: [] };
  if (texts.length === 0) return result;
  const codes = texts.map(parseCode);
  const coupons = await ReferralCodeModel.find({ code: { $in: codes.filter((code) => code !== null) } })
    .session(session)
    .lean<ReferralCodeRecord[]>();
  const byCode = new Map(coupons.map((one) => [one.code, one]));
  const redeemers = coupons.flatMap((one) => one.redeemedBy ?? []);
  const { _id, recruiter, referralCode } = context.survey;
  const above = new Set([_id, ...(await findSelfAndAncestors(session, recruiter, redeemers))].map(String));
  texts.forEach((text, index) => {
    const coupon = byCode.get(codes[index] ?? '');
    const more = result.accepted.length < (context.max ?? context.study.couponsPerSurvey);
    const circular = above.has(String(coupon?.redeemedBy)) || coupon?.code === referralCode;
    if (
      coupon &&
      more &&
      !circular &&
      mayHandOut(coupon, context.user) &&
      !result.accepted.includes(coupon.code)
    ) {
      result.accepted.push(coupon.code);
      if (coupon.redeemedBy) result.recruits.push(coupon.redeemedBy);
    } else {
      result.refused.push({ index, text });
    }
  });
  if (result.accepted.length > 0) {
    const own = { code: { $in: result.accepted } };
    await ReferralCodeModel.collection.updateMany(
      own,
      [
        { $set: codeOrigin(context.survey) },
        ...handOutUpdate(context.study, context.at),
        SET_COUPON_DAYS_OUT,
      ],
      { session },
    );
    await ReferralCodeModel.collection.updateMany(
      { ...own, state: 'RESERVED' },
      { $set: { state: 'LIVE' } },
      { session },
    );
  }
  return result;
}

function mayHandOut(code: ReferralCodeRecord, user: Types.ObjectId): boolean {
  const inAdvance = code.batch !== null || (code.reservedBy?.equals(user) ?? false);
  return inAdvance && code.survey === null && code.seed === null && code.state !== 'VOID';
}

/**
 * New codes for a completed survey, up to the study's limit; not stored yet. None if the person isn't eligible, or if
 * no round was open.
 */
export function createMissingCodes(
  survey: Issuer & Pick<SurveyRecord, 'takesPart' | 'flags'>,
  { study, handedOut, now }: { study: StudyRecord; handedOut: number; now: Date },
): ReferralCodeRecord[] {
  const isUnplaced = survey.flags.some(({ code }) => code === 'NO_ROUND');
  const limit = survey.takesPart === false || isUnplaced ? 0 : study.couponsPerSurvey;
  const lacking = Math.max(0, limit - handedOut);
  const { validFrom, expiresAt } = validityPeriod(study);
  const after = (time: number | null) => (time === null ? null : new Date(now.getTime() + time));
  const origin = {
    ...codeOrigin(survey),
    handedOutAt: now,
    validFrom: after(validFrom),
    expiresAt: after(expiresAt),
  };
  return newCodes(lacking, { state: 'LIVE', ...origin }, now);
}
