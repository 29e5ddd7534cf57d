/**
 * Codes by Twilio Verify, which makes, sends and checks them. Twilio's failures are told apart here: a number that
 * can't be texted, too many tries, and everything else, which means that Twilio is out of reach.
 *
 * The SDK's errors hold the phone, the code and the account's token, so none of them leaves this file.
 */
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { fieldProblem, type Problem, problem } from '../http/problem.ts';
import type { OtpProvider } from './otp.ts';

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  serviceSid: string;
  /** Where Twilio is, if not at its own address. */
  baseUrl: string | undefined;
}

/** For all that one send or check needs, so that a caller is answered within 10 seconds. */
const PATIENCE_MS = 8_000;

/** Twilio's codes for: invalid, landline, not a mobile number, unsubscribed, or in a country or range not served. */
const BAD_NUMBER = new Set([
  21211, 21214, 21217, 21408, 21610, 21612, 21614, 60200, 60205, 60220, 60238, 60410, 60605,
]);
const CODE_LENGTH = 6;
const MAX_CHECKS = 60202;
const MAX_SENDS = 60203;

/** The SDK takes 20 MB and 0.1 s to load: only where it is wanted. */
export async function twilioOtp(settings: TwilioSettings, patienceMs = PATIENCE_MS): Promise<OtpProvider> {
  const { default: twilio } = await import('twilio');
  // No retry: what Twilio answers with 429 doesn't pass in seconds. No kept connections: one that Twilio has closed
  // meanwhile would fail a request, and codes are few.
  const httpClient = new twilio.RequestClient({ timeout: patienceMs, autoRetry: false, keepAlive: false });
  if (settings.baseUrl) redirect(httpClient, settings.baseUrl);
  const client = twilio(settings.accountSid, settings.authToken, { httpClient });
  const service = client.verify.v2.services(settings.serviceSid);
  const { verifications, verificationChecks } = service;

  /** Without this Twilio repeats the old code, with its old age and the tries that it has had. */
  async function cancel(phone: string): Promise<void> {
    try {
      await verifications(phone).update({ status: 'canceled' });
    } catch (error) {
      // Any answer will do: there may be nothing left to cancel. No answer means that a send is hopeless too.
      if (answerOf(error).status === undefined) throw error;
    }
  }

  return {
    name: 'twilio',

    async send(phone, again) {
      try {
        await within(patienceMs, async () => {
          if (again) await cancel(phone);
          const { status } = await verifications.create({ to: phone, channel: 'sms' });
          if (status !== 'pending') throw new Error('unexpected answer');
        });
        return null;
      } catch (error) {
        throw refusal(error);
      }
    },

    async check(phone, code) {
      try {
        const { status } = await within(patienceMs, () => verificationChecks.create({ to: phone, code }));
        return status === 'approved';
      } catch (error) {
        const answer = answerOf(error);
        // 404: expired, approved or used up. A code that Twilio calls invalid is a wrong one.
        if (answer.status === 404 || answer.status === 400 || answer.code === MAX_CHECKS) return false;
        throw refusal(error);
      }
    },

    async isWell() {
      try {
        const { codeLength } = await within(patienceMs, () => service.fetch());
        if (codeLength !== CODE_LENGTH) throw new WrongLength();
      } catch (error) {
        throw problem('UNAVAILABLE', { cause: error instanceof WrongLength ? error : summary(error) });
      }
    },
  };
}

class WrongLength extends Error {
  constructor() {
    super(`The codes of Twilio's Verify service must have ${CODE_LENGTH} digits`);
  }
}

/** The SDK can't be given another address than its own, so each request is turned on its way out. */
function redirect(http: RequestClient, baseUrl: string): void {
  const send = http.request.bind(http);
  const base = baseUrl.replace(/\/+$/, '');
  http.request = (options) => {
    const { pathname, search } = new URL(options.uri);
    return send({ ...options, uri: base + pathname + search });
  };
}

class TimeoutError extends Error {}

/** The SDK's own timeout minds silence only, not an answer that trickles. */
async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError()), ms);
  });
  try {
    return await Promise.race([work(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** What Twilio answered: the HTTP status and its own code; neither where it did not answer. */
function answerOf(error: unknown): { status?: number; code?: number } {
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  return {
    ...(typeof status === 'number' && { status }),
    ...(typeof code === 'number' && { code }),
  };
}

function refusal(error: unknown): Problem {
  const { status, code } = answerOf(error);
  if (code !== undefined && BAD_NUMBER.has(code)) {
    return fieldProblem('phone', 'PHONE_NOT_TEXTED');
  }
  if (status === 429) {
    // A verification that has had all its sends or checks must expire first, after 10 minutes.
    const seconds = code === MAX_SENDS || code === MAX_CHECKS ? 600 : 60;
    return problem('RATE_LIMITED', { headers: { 'Retry-After': String(seconds) }, cause: summary(error) });
  }
  return problem('UNAVAILABLE', { cause: summary(error) });
}

/** A fresh error for the log, made of numbers and fixed words alone. */
function summary(error: unknown): Error {
  const { status, code } = answerOf(error);
  if (status !== undefined)
    return new Error(`Twilio answered ${status}${code === undefined ? '' : ` (${code})`}`);
  if (error instanceof TimeoutError) return new Error('Twilio did not answer in time');
  const reason = String((error as { code?: unknown } | null)?.code ?? '');
  return new Error(
    /^[A-Z_]{3,40}$/.test(reason) ? `Twilio is out of reach: ${reason}` : 'Twilio gave no usable answer',
  );
}
