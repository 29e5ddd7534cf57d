/** Checks whether a code can be redeemed now, with a message that tells the interviewer what to do. */
import type { Types } from 'mongoose';
import type { ProblemName } from '../../platform/http/problems/problem.ts';
import { loadRounds, type RoundWithoutSettings } from '../../study/rounds/model.ts';
import { CODE_LENGTH, parseCode, stripSeparators } from './code.ts';
import { codeStateAt, findCode, type ReferralCodeRecord } from './model.ts';
import type { CodeFault, CodeVerdict } from './schema.ts';

const MESSAGES: Record<CodeFault, string> = {
  MALFORMED: 'This isn’t a referral code. Check it against the coupon: a character is wrong or out of place.',
  UNKNOWN: 'No coupon has this code. Check it again, or start as a walk-in.',
  USED: 'This coupon has already been used.',
  VOID: 'This coupon was voided.',
  EXPIRED: 'This coupon has expired.',
  NOT_YET: 'This coupon isn’t valid yet. Ask the person to come back later.',
};

export const PROBLEM_BY_CODE_FAULT: Record<CodeFault, ProblemName> = {
  MALFORMED: 'REFERRAL_CODE_MALFORMED',
  UNKNOWN: 'REFERRAL_CODE_UNKNOWN',
  USED: 'REFERRAL_CODE_USED',
  VOID: 'REFERRAL_CODE_VOID',
  EXPIRED: 'REFERRAL_CODE_EXPIRED',
  NOT_YET: 'REFERRAL_CODE_NOT_YET',
};

/**
 * Why a code can't be redeemed at `at`, or null. A reserved one can be, because the device that handed it out may still
 * be offline.
 */
export function codeFault(
  code: Pick<ReferralCodeRecord, 'state' | 'validFrom' | 'expiresAt'> | null,
  at: Date,
): CodeFault | null {
  if (!code) return 'UNKNOWN';
  if (code.state === 'VOID') return 'VOID';
  if (code.state === 'USED') return 'USED';
  if (code.expiresAt && code.expiresAt <= at) return 'EXPIRED';
  if (code.validFrom && code.validFrom > at) return 'NOT_YET';
  return null;
}

type Dated = Pick<ReferralCodeRecord, 'handedOutAt' | 'createdAt' | 'redeemedAt' | 'validFrom'>;

/**
 * The earliest time when someone can have had it: when it was handed out (or created), but never later than its first
 * redemption.
 */
export const circulatingSince = ({ handedOutAt, createdAt, redeemedAt }: Omit<Dated, 'validFrom'>): Date => {
  const out = handedOutAt ?? createdAt;
  return redeemedAt && redeemedAt < out ? redeemedAt : out;
};

/**
 * The time at which a coupon's dates are checked: the start of the interview, however late it arrives. Because the
 * device's clock may be wrong, it is not before the coupon was handed out (or created) and not after now. If the clock
 * was wrong, the actual time is unknown, so it is not before the coupon became valid either.
 */
export function timeForCouponCheck(
  code: Dated,
  { startedAt, isClockOdd }: { startedAt: Date; isClockOdd: boolean },
  now: Date,
): Date {
  const since = circulatingSince(code);
  const from = isClockOdd && startedAt < since ? (code.validFrom ?? since) : since;
  const at = Math.max(since.getTime(), from.getTime(), startedAt.getTime());
  return new Date(Math.min(now.getTime(), at));
}

/** A separate message, because "a character is wrong" would be misleading if one is missing. */
function wrongLengthMessage(text: string): string | null {
  const { length } = stripSeparators(text);
  if (length === CODE_LENGTH) return null;
  return `This is not a referral code: it has ${length} characters in place of ${CODE_LENGTH}. Look at the coupon again.`;
}

/** A coupon as typed by the user, with what decides whether its code can be redeemed. */
export interface TypedCoupon {
  text: string;
  /** Null if it is malformed. */
  code: string | null;
  coupon: ReferralCodeRecord | null;
  rounds: RoundWithoutSettings[];
}

/** One lookup by the unique index, however many surveys there are. */
export async function findTypedCoupon(text: string): Promise<TypedCoupon> {
  const code = parseCode(text);
  const [coupon, rounds] = code === null ? [null, []] : await Promise.all([findCode(code), loadRounds()]);
  return { text, code, coupon, rounds };
}

export function verdictOnCoupon({ text, code, coupon, rounds }: TypedCoupon, now: Date): CodeVerdict {
  const isOver = coupon && codeStateAt(coupon, now, rounds) === 'EXPIRED';
  const fault = isOver ? 'EXPIRED' : codeFault(coupon, now);
  const reason = code === null ? 'MALFORMED' : fault;
  return {
    code: code ?? text,
    isValid: reason === null,
    reason,
    message: reason === null ? 'This coupon is valid.' : (wrongLengthMessage(text) ?? MESSAGES[reason]),
  };
}

/** The records that refer to the coupon with this code, as typed by the user. */
export async function findRecordIdsOfCode(typed: string): Promise<Types.ObjectId[]> {
  const code = parseCode(typed);
  const coupon = code ? await findCode(code) : null;
  return coupon
    ? [coupon._id, coupon.seed, coupon.survey, coupon.redeemedBy].filter((id) => id !== null)
    : [];
}
