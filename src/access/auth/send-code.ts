/**
 * Sends a code. The reply comes at once and is always the same, because the provider's response time and errors would
 * reveal whether the phone has an account. Failures are logged, without the phone number.
 */
import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../../platform/http/deps.ts';
import { invalidFieldProblem, Problem, problem } from '../../platform/http/problems/problem.ts';
import type { OtpChannel } from '../../platform/lib/otp-channels.ts';
import { isTextableNumber } from '../../platform/lib/text/phone.ts';
import { requirePhone } from '../../study/users/create.ts';
import { findUserByPhone } from '../../study/users/find.ts';
import { auditFailedSignIn } from './failed-sign-ins.ts';
import { isKnownDeviceCaller, otpCallerOf } from './known-devices.ts';
import { pretendToSendCode, sendCode } from './otp/otp.ts';
import {
  limitLoginCodesOfDay,
  limitOtpSends,
  limitOtpSendsOfDevice,
  limitSignUpCodes,
} from './send-limits.ts';

const CHANNEL_WORDS = { sms: 'by SMS', call: 'by a phone call' };
const sentReply = (channel: OtpChannel) => ({
  message: `If this phone can receive it, a code is on its way ${CHANNEL_WORDS[channel]}, or in the service’s log if no SMS provider is set up.`,
});

interface SendRequest {
  phone: string;
  channel: OtpChannel;
  device?: string | undefined;
}

/** Messages that the provider hasn't accepted yet. */
const pendingDeliveries = new Set<Promise<void>>();
const MAX_PENDING_DELIVERIES = 500;

/** Call before closing the database connection, because a code that was sent but not stored couldn't be used. */
export async function waitForCodeDeliveries(): Promise<void> {
  await Promise.all(pendingDeliveries);
}

/** Both routes do the same work for every phone, because timing would otherwise reveal which phones have an account. */
async function limitCodes(
  deps: Deps,
  { phone, device, address }: SendRequest & { address: string },
  limitDay: (isKnown: boolean) => Promise<void>,
): Promise<{ caller: string; isKnown: boolean }> {
  const { rateLimits, otpDailyLimit } = deps.config;
  const owner = await findUserByPhone(phone);
  const caller = otpCallerOf(owner, device, address);
  const isKnown = owner !== null;
  if (rateLimits && isKnownDeviceCaller(caller)) await limitOtpSendsOfDevice(phone, caller, otpDailyLimit);
  else if (rateLimits) {
    await limitOtpSends(phone, address, () => {
      if (owner) inBackground(deps, () => auditFailedSignIn(deps, owner, 'TOO_MANY_CODES'));
    });
    await limitDay(isKnown);
  }
  return { caller, isKnown };
}

export async function sendSignUpCode(deps: Deps, sending: SendRequest, address: string) {
  const phone = requireServed(deps, sending);
  const limitDay = () => limitSignUpCodes(phone, deps.config.otpDailyLimit);
  const { caller } = await limitCodes(deps, { ...sending, phone, address }, limitDay);
  await deliver(deps, () => sendCode(deps, phone, caller, sending.channel));
  return sentReply(sending.channel);
}

/** Sends nothing to a phone without an account. */
export async function sendLoginCode(deps: Deps, sending: SendRequest, address: string) {
  const phone = requireServed(deps, sending);
  const limitDay = (isKnown: boolean) => limitLoginCodesOfDay(isKnown, deps.config.otpDailyLimit);
  const { caller, isKnown } = await limitCodes(deps, { ...sending, phone, address }, limitDay);
  await deliver(deps, () =>
    isKnown ? sendCode(deps, phone, caller, sending.channel) : pretendToSendCode(deps, phone, caller),
  );
  return sentReply(sending.channel);
}

/** Calls are limited to the same numbers as messages, because others cost more or belong to nobody. */
function requireServed({ config }: Deps, { phone: text, channel }: SendRequest): string {
  if (pendingDeliveries.size >= MAX_PENDING_DELIVERIES) throw problem('UNAVAILABLE');
  if (!config.otpChannels.includes(channel))
    throw invalidFieldProblem('channel', 'NOT_ONE_OF', { values: config.otpChannels.join(', ') });
  const phone = requirePhone(text, config.defaultRegion);
  if (isTextableNumber(phone, config.otpCountries)) return phone;
  throw invalidFieldProblem('phone', 'PHONE_NOT_SERVED');
}

async function deliver(deps: Deps, send: () => Promise<void>): Promise<void> {
  // Wait for the console provider: it is fast, and the code should be in the log before the reply arrives.
  if (deps.otp.name === 'console') return await send();
  inBackground(deps, send);
}

/** Runs after the reply, whose time must not depend on it. */
function inBackground(deps: Deps, work: () => Promise<void>): void {
  const delivery = setImmediate()
    .then(work)
    .catch((error: unknown) => {
      const err = error instanceof Problem ? (error.cause ?? error) : error;
      deps.log.error({ err }, 'a code could not be sent');
    })
    .finally(() => pendingDeliveries.delete(delivery));
  pendingDeliveries.add(delivery);
}
