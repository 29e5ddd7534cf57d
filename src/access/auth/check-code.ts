/** Checks a code that somebody entered. All refusals take the same time, and are counted in the account's history. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../platform/http/deps.ts';
import { asProblem } from '../../platform/http/problems/errors.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { otpCheckCounter } from '../../platform/lib/metrics.ts';
import type { HasDeadline } from '../../platform/rights/actor.ts';
import { findUserByPhone } from '../../study/users/find.ts';
import type { SignInMethod, UserRecord } from '../../study/users/model.ts';
import { auditFailedSignIn } from './failed-sign-ins.ts';
import { otpCallerOf } from './known-devices.ts';
import { findOtpFailureReason, type VerifiedOtp, verifyCode } from './otp/otp.ts';
import { isLinkCode, redeemSignInCode } from './sign-in-code.ts';

/** Refusals are sent this long after the request, because otherwise the response time would reveal what was checked. */
const MIN_REFUSAL_MS = 2_000;

interface Guess {
  phone: string;
  code: string;
  device?: string | undefined;
  address: string;
}

/** `check` gets the owner of the phone, if there is one, and the caller who is guessing. */
async function refuseInEqualTime<T>(
  deps: Deps,
  { phone, device, address }: Guess,
  check: (owner: UserRecord | null, caller: string) => Promise<T>,
): Promise<T> {
  const end = performance.now() + (deps.otp.name === 'twilio' ? MIN_REFUSAL_MS : 0);
  let owner: UserRecord | null = null;
  try {
    owner = await findUserByPhone(phone);
    const checked = await check(owner, otpCallerOf(owner, device, address));
    otpCheckCounter.inc({ result: 'right' });
    return checked;
  } catch (error) {
    const isWrong = asProblem(error).name === 'OTP_INVALID';
    otpCheckCounter.inc({ result: isWrong ? 'wrong' : 'failed' });
    if (isWrong && owner) await auditFailedSignIn(deps, owner, await findOtpFailureReason(phone, deps.now()));
    await sleep(Math.max(0, end - performance.now()));
    throw error;
  }
}

/** For creating an account: if the code is right, also returns whether the phone already has one. */
export const checkSignUpCode = (
  deps: Deps,
  guess: Guess,
): Promise<{ verified: VerifiedOtp; isTaken: boolean }> =>
  refuseInEqualTime(deps, guess, async (owner, caller) => ({
    verified: await verifyCode(deps, guess.phone, guess.code, caller),
    isTaken: owner !== null,
  }));

/** The account for a correct code, sent by message or created by a colleague; the code is used up. */
export async function signInWithCode(
  deps: Deps,
  guess: Guess,
  times: HasDeadline & { now: Date },
): Promise<{ user: UserRecord; method: SignInMethod }> {
  const { phone, code } = guess;
  return await refuseInEqualTime(deps, guess, async (owner, caller) => {
    const user = await redeemSignInCode(deps, { phone, code, caller }, times);
    if (user) return { user, method: 'colleague' };
    if (isLinkCode(code)) throw problem('OTP_INVALID');
    const verified = await verifyCode(deps, phone, code, caller);
    if (!owner) throw problem('OTP_INVALID');
    await verified.consume();
    return { user: owner, method: 'message' };
  });
}
