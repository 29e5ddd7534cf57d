/**
 * Codes via Twilio Verify, which creates, sends and checks them. Twilio's errors are translated here: a number that
 * can't be texted, too many tries, or (everything else) Twilio is unreachable. The SDK's errors contain the phone
 * number, the code and the account's token, so none of them may leave this file (lib/twilio.ts).
 */
import { invalidFieldProblem, type Problem, problem } from '../../../platform/http/problems/problem.ts';
import {
  loggableTwilioError,
  openTwilio,
  parseTwilioError,
  type TwilioAccount,
  withTimeout,
} from '../../../platform/lib/twilio.ts';
import type { OtpProvider } from './otp.ts';

export interface TwilioSettings extends TwilioAccount {
  serviceSid: string;
}

/** Time limit for one send or check in total, so that the caller gets a reply within 10 seconds. */
const TIMEOUT_MS = 8_000;

/**
 * Twilio's error codes for: invalid, landline, not mobile, unsubscribed, or a country or range that isn't served or
 * called.
 */
const UNTEXTABLE_NUMBER = new Set([
  13224, 21211, 21214, 21215, 21216, 21217, 21408, 21610, 21612, 21614, 60200, 60205, 60220, 60238, 60410,
  60605,
]);
const CODE_LENGTH = 6;
const MAX_CHECKS = 60202;
const MAX_SENDS = 60203;

export async function twilioOtp(settings: TwilioSettings, timeoutMs = TIMEOUT_MS): Promise<OtpProvider> {
  const client = await openTwilio(settings, timeoutMs);
  const service = client.verify.v2.services(settings.serviceSid);
  const { verifications, verificationChecks } = service;

  /** Otherwise Twilio would resend the old code, with its old expiry and its used-up tries. */
  async function cancel(phone: string): Promise<void> {
    try {
      await verifications(phone).update({ status: 'canceled' });
    } catch (error) {
      // Any response is fine, because there may be nothing to cancel. Without a response, sending would fail too.
      if (parseTwilioError(error).status === undefined) throw error;
    }
  }

  return {
    name: 'twilio',

    async send(phone, isRepeat, channel) {
      try {
        await withTimeout(timeoutMs, async () => {
          if (isRepeat) await cancel(phone);
          const { status } = await verifications.create({ to: phone, channel });
          if (status !== 'pending') throw new Error('unexpected answer');
        });
        return null;
      } catch (error) {
        throw toProblem(error);
      }
    },

    async check(phone, code) {
      try {
        const { status } = await withTimeout(timeoutMs, () => verificationChecks.create({ to: phone, code }));
        return status === 'approved';
      } catch (error) {
        const answer = parseTwilioError(error);
        // 404: expired, already approved or out of tries. 400: not a code at all.
        if (answer.status === 404 || answer.status === 400 || answer.code === MAX_CHECKS) return false;
        throw toProblem(error);
      }
    },

    async checkHealth() {
      try {
        const { codeLength } = await withTimeout(timeoutMs, () => service.fetch());
        if (codeLength !== CODE_LENGTH) throw new WrongCodeLength();
      } catch (error) {
        throw problem('UNAVAILABLE', {
          cause: error instanceof WrongCodeLength ? error : loggableTwilioError(error),
        });
      }
    },
  };
}

class WrongCodeLength extends Error {
  constructor() {
    super(`The codes of Twilio's Verify service must have ${CODE_LENGTH} digits`);
  }
}

function toProblem(error: unknown): Problem {
  const { status, code } = parseTwilioError(error);
  if (code !== undefined && UNTEXTABLE_NUMBER.has(code)) {
    return invalidFieldProblem('phone', 'PHONE_NOT_TEXTED');
  }
  if (status === 429) {
    // A verification that has used up its sends or checks has to expire first, after 10 minutes.
    const seconds = code === MAX_SENDS || code === MAX_CHECKS ? 600 : 60;
    return problem('RATE_LIMITED', {
      headers: { 'Retry-After': String(seconds) },
      cause: loggableTwilioError(error),
    });
  }
  return problem('UNAVAILABLE', { cause: loggableTwilioError(error) });
}
