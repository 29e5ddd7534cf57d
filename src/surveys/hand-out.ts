/** The codes that a survey gives out: those handed over already, from a reserved block or a batch, and new ones. */
import type { ClientSession, Types } from 'mongoose';
import { parseCode } from '../referral-codes/code.ts';
import { newCode } from '../referral-codes/issue.ts';
import { type ReferralCodeRecord, ReferralCodes } from '../referral-codes/model.ts';
import type { StudyRecord } from '../study/model.ts';
import type { SurveyRecord } from './model.ts';
import { tellDaysOut } from './redeem.ts';
import { among } from './tree.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** From when to when a coupon handed out at `from` is valid, by the study's settings of now. */
export function validity(
  study: Pick<StudyRecord, 'couponStartsAfterHours' | 'couponValidDays'>,
  from: Date,
): Pick<ReferralCodeRecord, 'validFrom' | 'expiresAt'> {
  const start = from.getTime() + study.couponStartsAfterHours * HOUR;
  return {
    validFrom: study.couponStartsAfterHours > 0 ? new Date(start) : null,
    expiresAt: study.couponValidDays === null ? null : new Date(start + study.couponValidDays * DAY),
  };
}

type Issuer = Pick<SurveyRecord, '_id' | 'seed' | 'wave' | 'location'>;

/** What a code keeps of the survey that gave it out at `at`. */
const originOf = ({ _id: survey, seed, wave, location }: Issuer, at: Date) => ({
  survey,
  location,
  handedOutAt: at,
  ...(seed && wave !== null ? { chain: seed, wave } : {}),
});

export interface HandedOut {
  /** Canonical codes that are this survey's now. */
  accepted: string[];
  /** As they were given, with their place in the request. */
  refused: { index: number; text: string }[];
  /** Surveys that redeemed one of the accepted codes before this survey arrived. */
  recruits: Types.ObjectId[];
}

/**
 * Makes codes in advance this survey's. Refused are those that are not the caller's (nor of a batch), that another
 * survey has handed out, that are void, named twice, redeemed by someone above this survey in its own chain, or more
 * than the study allows.
 */
export async function handOut(
  session: ClientSession,
  texts: string[],
  given: {
    survey: Issuer & Pick<SurveyRecord, 'recruiter'>;
    user: Types.ObjectId;
    study: StudyRecord;
    at: Date;
    /** How many more the survey may hand out; as many as the study says where this is left out. */
    most?: number;
  },
): Promise<HandedOut> {
  const result: HandedOut = { accepted: [], refused: [], recruits: [] };
  if (texts.length === 0) return result;
  const codes = texts.map(parseCode);
  const known = await ReferralCodes.find({ code: { $in: codes.filter((code) => code !== null) } })
    .session(session)
    .lean<ReferralCodeRecord[]>();
  const byCode = new Map(known.map((one) => [one.code, one]));
  const redeemers = known.flatMap((one) => one.redeemedBy ?? []);
  const { _id, recruiter } = given.survey;
  const above = new Set([_id, ...(await among(session, recruiter, redeemers))].map(String));
  texts.forEach((text, index) => {
    const found = byCode.get(codes[index] ?? '');
    const more = result.accepted.length < (given.most ?? given.study.couponsPerSurvey);
    const circular = above.has(String(found?.redeemedBy));
    if (
      found &&
      more &&
      !circular &&
      mayHandOut(found, given.user) &&
      !result.accepted.includes(found.code)
    ) {
      result.accepted.push(found.code);
      if (found.redeemedBy) result.recruits.push(found.redeemedBy);
    } else {
      result.refused.push({ index, text });
    }
  });
  if (result.accepted.length > 0) {
    const own = { code: { $in: result.accepted } };
    const origin = { ...originOf(given.survey, given.at), ...validity(given.study, given.at) };
    await ReferralCodes.collection.updateMany(own, [{ $set: origin }, tellDaysOut], { session });
    await ReferralCodes.collection.updateMany(
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
 * New codes for a survey that is complete, as many as are left of the study's number; not stored yet. Who takes no part
 * recruits nobody.
 */
export function issuedCodes(
  survey: Issuer & Pick<SurveyRecord, 'takesPart'>,
  { study, handedOut, now }: { study: StudyRecord; handedOut: number; now: Date },
): ReferralCodeRecord[] {
  const wanted = survey.takesPart === false ? 0 : study.couponsPerSurvey;
  const length = Math.max(0, wanted - handedOut);
  const origin = { ...originOf(survey, now), ...validity(study, now) };
  return Array.from({ length }, () => newCode({ state: 'LIVE', ...origin }, now));
}
