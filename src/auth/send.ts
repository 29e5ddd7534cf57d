/**
 * Sending a code. Whoever asks is answered first and the same, whether the phone has an account or not, and whatever
 * becomes of the message: the provider's time and its refusals would tell. Failures go to the log, without the phone.
 */
import type { Deps } from '../http/deps.ts';
import { networkOf } from '../http/limits.ts';
import { fieldProblem, Problem, problem } from '../http/problem.ts';
import { canBeTexted } from '../lib/phone.ts';
import { phoneOf } from '../users/create.ts';
import { userWith } from '../users/find.ts';
import { capLogins, capSignUps, limitSending } from './limits.ts';
import { sendCode } from './otp.ts';

const SENT = {
  message:
    'If this phone can receive it, a code is on its way: by SMS, or in the log of the service where no SMS provider is set up.',
};

/** Messages that the provider has not taken yet; more of them wait for nobody. */
const underWay = new Set<Promise<void>>();
const MOST_UNDER_WAY = 500;

/** Before the connection to the database is closed: a code that was sent but not stored could not be used. */
export async function codesAreOut(): Promise<void> {
  await Promise.all(underWay);
}

export async function sendSignUp(deps: Deps, text: string, address: string): Promise<typeof SENT> {
  const phone = textable(deps, text);
  const { rateLimits, otpDailyLimit } = deps.config;
  if (rateLimits) {
    await limitSending(phone, address);
    await capSignUps(phone, otpDailyLimit);
  }
  await deliver(deps, phone, address);
  return SENT;
}

/** To a phone without an account nothing is sent. */
export async function sendLogin(deps: Deps, text: string, address: string): Promise<typeof SENT> {
  const phone = textable(deps, text);
  const { rateLimits, otpDailyLimit } = deps.config;
  if (rateLimits) await limitSending(phone, address);
  const known = (await userWith(phone)) !== null;
  if (rateLimits) await capLogins(known, otpDailyLimit);
  if (known) await deliver(deps, phone, address);
  return SENT;
}

function textable({ config }: Deps, text: string): string {
  if (underWay.size >= MOST_UNDER_WAY) throw problem('UNAVAILABLE');
  const phone = phoneOf(text, config.defaultRegion);
  if (canBeTexted(phone, config.otpCountries)) return phone;
  throw fieldProblem('phone', 'PHONE_NOT_SERVED');
}

async function deliver(deps: Deps, phone: string, address: string): Promise<void> {
  const sending = sendCode(deps, phone, networkOf(address));
  // The console takes no time, and whoever tries the service out looks for the code at once.
  if (deps.otp.name === 'console') return await sending;
  const delivery = sending
    .catch((error: unknown) => {
      const err = error instanceof Problem ? (error.cause ?? error) : error;
      deps.log.error({ err }, 'a code could not be sent');
    })
    .finally(() => underWay.delete(delivery));
  underWay.add(delivery);
}
