/** The codes that a survey gives out: those handed over already, from a reserved block or a batch, and new ones. */
import type { ClientSession, Types } from 'mongoose';
import { fieldError } from '../http/faults.ts';
import { type Problem, problem } from '../http/problem.ts';
import { parseCode } from '../referral-codes/code.ts';
import { newCodes, storeCodes } from '../referral-codes/issue.ts';
import { type ReferralCodeRecord, ReferralCodes } from '../referral-codes/model.ts';
import type { StudyRecord } from '../study/model.ts';
import { type FlagRecord, flag, type SurveyRecord } from './model.ts';
import { type Origin, setDaysOut } from './redeem.ts';
import type { SurveyCreate } from './schema.ts';
import { selfOrAbove } from './tree.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Given {
  codes: string[];
  flags: FlagRecord[];
  recruits: Types.ObjectId[];
}

/**
 * All codes of a survey that is being stored, with what is stored beside them: the code that it brings is taken, a
 * walk-in's one is new.
 */
export async function giveCodes(
  session: ClientSession,
  survey: SurveyRecord,
  { issuedCodes: texts, onCodeProblem }: SurveyCreate,
  { study, taking, newCode: own }: Pick<Origin, 'taking' | 'newCode'> & { study: StudyRecord },
): Promise<Given> {
  const { createdBy: user, createdAt: now, completedAt, status } = survey;
  const isClockOdd = survey.flags.some((one) => one.code === 'CLOCK_ODD');
  const at = isClockOdd ? now : (completedAt ?? now);
  const { accepted, refused, recruits } = await handOut(session, texts, { survey, user, study, at });
  if (refused.length > 0 && onCodeProblem === 'REJECT') throw codesRefused(refused.map(({ index }) => index));
  const handedOut = accepted.length;
  const issued = status === 'COMPLETED' ? issuedCodes(survey, { study, handedOut, now }) : [];
  await storeCodes(session, own ? [own, ...issued] : issued, taking);
  const codes = [...accepted, ...issued.map(({ code }) => code)];
  return { codes, flags: refused.map(({ text }) => flag('ISSUED_CODE_REFUSED', text, now)), recruits };
}

/** 400 that names each code by its place in the request. */
export function codesRefused(places: number[]): Problem {
  return problem('VALIDATION_ERROR', {
    errors: places.map((at) => fieldError(`issuedCodes.${at}`, 'CODE_NOT_YOURS')),
  });
}

/** From when to when a coupon is valid, in milliseconds from its handing out, by the study's settings of now. */
function validity({ couponStartsAfterHours, couponValidDays }: StudyRecord) {
  const start = couponStartsAfterHours * HOUR;
  return {
    validFrom: start > 0 ? start : null,
    expiresAt: couponValidDays === null ? null : start + couponValidDays * DAY,
  };
}

/** Codes that were made at another time than they were handed out: each of them not before it was made. */
function handingOut(study: StudyRecord, at: Date): object[] {
  const { validFrom, expiresAt } = validity(study);
  const after = (time: number | null) => (time === null ? null : { $add: ['$handedOutAt', time] });
  return [
    { $set: { handedOutAt: { $max: [at, '$createdAt'] } } },
    { $set: { validFrom: after(validFrom), expiresAt: after(expiresAt) } },
  ];
}

type Issuer = Pick<SurveyRecord, '_id' | 'seed' | 'wave' | 'location'>;

/** What a code keeps of the survey that gave it out. */
const originOf = ({ _id: survey, seed, wave, location }: Issuer) => ({
  survey,
  location,
  ...(seed && wave !== null ? { chain: seed, wave } : {}),
});

interface HandedOut {
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
    survey: Issuer & Pick<SurveyRecord, 'recruiter' | 'referralCode'>;
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
  const { _id, recruiter, referralCode } = given.survey;
  const above = new Set([_id, ...(await selfOrAbove(session, recruiter, redeemers))].map(String));
  texts.forEach((text, index) => {
    const found = byCode.get(codes[index] ?? '');
    const more = result.accepted.length < (given.most ?? given.study.couponsPerSurvey);
    const circular = above.has(String(found?.redeemedBy)) || found?.code === referralCode;
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
    await ReferralCodes.collection.updateMany(
      own,
      [{ $set: originOf(given.survey) }, ...handingOut(given.study, given.at), setDaysOut],
      { session },
    );
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
  const lacking = Math.max(0, wanted - handedOut);
  const { validFrom, expiresAt } = validity(study);
  const after = (time: number | null) => (time === null ? null : new Date(now.getTime() + time));
  const origin = {
    ...originOf(survey),
    handedOutAt: now,
    validFrom: after(validFrom),
    expiresAt: after(expiresAt),
  };
  return newCodes(lacking, { state: 'LIVE', ...origin }, now);
}
