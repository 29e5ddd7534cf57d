/**
 * Sending a code. The reply comes at once and is always the same, because the provider's response time and errors would
 * reveal whether the phone has an account. Failures go to the log, without the phone.
 */
import type { Deps } from '../http/deps.ts';
import { fieldProblem, Problem, problem } from '../http/problem.ts';
import { networkOf } from '../http/rate-limits.ts';
import type { OtpChannel } from '../lib/otp-channels.ts';
import { canBeTexted } from '../lib/phone.ts';
import { requirePhone } from '../users/create.ts';
import { findUserByPhone } from '../users/find.ts';
import { sendCode } from './otp.ts';
import { limitLoginCodes, limitSends, limitSignUpCodes } from './send-limits.ts';

const WAYS = { sms: 'by SMS', call: 'by a phone call' };
const sentReply = (channel: OtpChannel) => ({
  message: `If this phone can receive it, a code is on its way ${WAYS[channel]}, or in the service’s log if no SMS provider is set up.`,
});

interface Sending {
  phone: string;
  channel: OtpChannel;
}

/** Messages that the provider has not accepted yet. */
const pendingDeliveries = new Set<Promise<void>>();
const MAX_PENDING_DELIVERIES = 500;

/** Call before closing the database connection: a code that was sent but not stored could not be used. */
export async function waitForDeliveries(): Promise<void> {
  await Promise.all(pendingDeliveries);
}

export async function sendSignUp(deps: Deps, { phone: text, channel }: Sending, address: string) {
  const phone = requireServed(deps, text, channel);
  const { rateLimits, otpDailyLimit } = deps.config;
  if (rateLimits) {
    await limitSends(phone, address);
    await limitSignUpCodes(phone, otpDailyLimit);
  }
  await deliver(deps, { phone, channel }, address);
  return sentReply(channel);
}

/** Sends nothing to a phone without an account. */
export async function sendLogin(deps: Deps, { phone: text, channel }: Sending, address: string) {
  const phone = requireServed(deps, text, channel);
  const { rateLimits, otpDailyLimit } = deps.config;
  if (rateLimits) await limitSends(phone, address);
  const known = (await findUserByPhone(phone)) !== null;
  if (rateLimits) await limitLoginCodes(known, otpDailyLimit);
  if (known) await deliver(deps, { phone, channel }, address);
  return sentReply(channel);
}

/** Calls go to the same numbers as messages: others cost more, or are nobody's own. */
function requireServed({ config }: Deps, text: string, channel: OtpChannel): string {
  if (pendingDeliveries.size >= MAX_PENDING_DELIVERIES) throw problem('UNAVAILABLE');
  if (!config.otpChannels.includes(channel))
    throw fieldProblem('channel', 'NOT_ONE_OF', { values: config.otpChannels.join(', ') });
  const phone = requirePhone(text, config.defaultRegion);
  if (canBeTexted(phone, config.otpCountries)) return phone;
  throw fieldProblem('phone', 'PHONE_NOT_SERVED');
}

async function deliver(deps: Deps, { phone, channel }: Sending, address: string): Promise<void> {
  const sending = sendCode(deps, phone, networkOf(address), channel);
  // Wait for the console provider: it is fast, and the code should be in the log before the reply arrives.
  if (deps.otp.name === 'console') return await sending;
  const delivery = sending
    .catch((error: unknown) => {
      const err = error instanceof Problem ? (error.cause ?? error) : error;
      deps.log.error({ err }, 'a code could not be sent');
    })
    .finally(() => pendingDeliveries.delete(delivery));
  pendingDeliveries.add(delivery);
}
