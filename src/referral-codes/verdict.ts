/** Whether a code can be redeemed now, and in words that tell a volunteer what to do. */
import type { ProblemName } from '../http/problem.ts';
import { bareCode, CODE_LENGTH, parseCode } from './code.ts';
import { findCode, type ReferralCodeRecord } from './model.ts';
import type { CodeFault, CodeVerdict } from './schema.ts';

const WORDS: Record<CodeFault, string> = {
  MALFORMED: 'This is not a referral code: look at the coupon again, a character is wrong or out of place.',
  UNKNOWN: 'No coupon with this code was ever issued. Look at it again, or start as a walk-in.',
  USED: 'This coupon has been redeemed already.',
  VOID: 'This coupon has been declared void.',
  EXPIRED: 'This coupon has expired.',
  NOT_YET: 'This coupon is not valid yet. Ask the person to come back later.',
};

export const REFUSALS: Record<CodeFault, ProblemName> = {
  MALFORMED: 'REFERRAL_CODE_MALFORMED',
  UNKNOWN: 'REFERRAL_CODE_UNKNOWN',
  USED: 'REFERRAL_CODE_USED',
  VOID: 'REFERRAL_CODE_VOID',
  EXPIRED: 'REFERRAL_CODE_EXPIRED',
  NOT_YET: 'REFERRAL_CODE_NOT_YET',
};

/**
 * Why a code can't be redeemed at `at`, or null. A reserved one can: whoever handed it out may be offline still, and
 * its bearer stand at another site.
 */
export function faultOf(
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

type Dated = Pick<ReferralCodeRecord, 'handedOutAt' | 'createdAt'>;

/**
 * The moment that the dates of a coupon are held against: when the interview began that it was brought to, however
 * late that arrives. A device's clock may be wrong: not before the coupon was handed out (or made), and not after now.
 */
export function broughtAt({ handedOutAt, createdAt }: Dated, startedAt: Date, now: Date): Date {
  const since = (handedOutAt ?? createdAt).getTime();
  return new Date(Math.min(now.getTime(), Math.max(since, startedAt.getTime())));
}

/** "One character is wrong" would send whoever left one out looking for the wrong thing. */
function wrongLength(text: string): string | null {
  const { length } = bareCode(text);
  if (length === CODE_LENGTH) return null;
  return `This is not a referral code: it has ${length} characters in place of ${CODE_LENGTH}. Look at the coupon again.`;
}

/** One look-up by the unique index, however many surveys there are. */
export async function judgeCode(text: string, now: Date): Promise<CodeVerdict> {
  const code = parseCode(text);
  const reason = code === null ? 'MALFORMED' : faultOf(await findCode(code), now);
  return {
    code: code ?? text,
    isValid: reason === null,
    reason,
    message: reason === null ? 'This coupon is good.' : (wrongLength(text) ?? WORDS[reason]),
  };
}
