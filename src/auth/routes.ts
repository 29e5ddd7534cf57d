import { setTimeout as sleep } from 'node:timers/promises';
import { packRules } from '@casl/ability/extra';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../http/deps.ts';
import { Message } from '../http/fields.ts';
import { networkOf } from '../http/limits.ts';
import { problem } from '../http/problem.ts';
import { created, type Route, route } from '../http/route.ts';
import { requireLocation } from '../locations/model.ts';
import type { SignedIn } from '../rights/actor.ts';
import { tokenFor } from '../rights/token.ts';
import { abilityFor } from '../rules/abilities.ts';
import { zoneOf } from '../study/zone.ts';
import { insertUser, newUser, phoneOf } from '../users/create.ts';
import { userWith } from '../users/find.ts';
import { type VerifiedCode, verifyCode } from './otp.ts';
import { SendOtp, Session, Setup, SignedInReply, VerifyLogin, VerifySignup } from './schema.ts';
import { sendLogin, sendSignUp } from './send.ts';
import { makeFirstSuperAdmin, requireSetupLink } from './setup.ts';

const tag = 'Auth';
/** A refusal is held back until this long after the request: who was asked meanwhile, and for how long, would tell. */
const EVEN_MS = 2_000;

function evenly({ otp }: Deps): () => Promise<void> {
  const end = performance.now() + (otp.name === 'twilio' ? EVEN_MS : 0);
  return async () => await sleep(Math.max(0, end - performance.now()));
}

async function verify(
  deps: Deps,
  phone: string,
  { code, address }: { code: string; address: string },
): Promise<VerifiedCode> {
  const even = evenly(deps);
  try {
    return await verifyCode(deps, phone, code, networkOf(address));
  } catch (error) {
    await even();
    throw error;
  }
}

export const authRoutes: Route[] = [
  route({
    method: 'post',
    path: '/api/auth/send-otp-signup',
    access: 'public',
    tag,
    summary: 'Send a one-time code to the phone of a new user',
    description:
      'By SMS; without Twilio’s settings it is printed in the terminal that runs the service. A new code ends the old one. To mobile numbers in the countries of `OTP_COUNTRIES` alone, else 400 at `phone`. From one address to one phone again after 30 seconds and 5 an hour; 10 a day to a phone. The answer comes before the message is out.',
    body: SendOtp,
    example: { phone: '+12065550123' },
    reply: { 200: Message },
    problems: ['RATE_LIMITED', 'UNAVAILABLE'],
    handle: async ({ body, deps, address }) => await sendSignUp(deps, body.phone, address),
  }),
  route({
    method: 'post',
    path: '/api/auth/send-otp-login',
    access: 'public',
    tag,
    summary: 'Send a one-time code to the phone of a returning user',
    description:
      'The answer is the same for a phone without an account; nothing is sent to it then. Numbers and limits as for a sign-up.',
    body: SendOtp,
    example: { phone: '+12065550100' },
    reply: { 200: Message },
    problems: ['RATE_LIMITED', 'UNAVAILABLE'],
    handle: async ({ body, deps, address }) => await sendLogin(deps, body.phone, address),
  }),
  route({
    method: 'post',
    path: '/api/auth/verify-otp-signup',
    access: 'public',
    tag,
    summary: 'Verify the code, create the account (PENDING) and return a token',
    description:
      'Where the phone has an account already: 409, and the code stays good for verify-otp-login. A request with a wrong field costs neither the code nor a try.',
    body: VerifySignup,
    example: { phone: '+12065550123', code: '123456', firstName: 'Bo', lastName: 'Lind' },
    reply: { 201: SignedInReply },
    problems: ['OTP_INVALID', 'PHONE_TAKEN', 'UNAVAILABLE'],
    handle: async ({ body, deps, now, address }) => {
      const phone = phoneOf(body.phone, deps.config.defaultRegion);
      const location = body.location ? await requireLocation(body.location) : null;
      const verified = await verify(deps, phone, { code: body.code, address });
      if (await userWith(phone)) throw problem('PHONE_TAKEN');
      const { firstName, lastName, email = null, role } = body;
      const user = newUser({ phone, firstName, lastName, email, role, location }, now);
      await inTransaction(async (session) => {
        await verified.consume(session);
        await insertUser(session, user, user._id);
      });
      return created({ token: tokenFor(deps.config, user._id, now), user }, `/api/users/${user._id}`);
    },
  }),
  route({
    method: 'post',
    path: '/api/auth/verify-otp-login',
    access: 'public',
    tag,
    summary: 'Verify the code and return a token',
    description:
      'Whatever the approval status. A phone without an account: 400 OTP_INVALID, as for a wrong code.',
    body: VerifyLogin,
    example: { phone: '+12065550100', code: '123456' },
    reply: { 200: SignedInReply },
    problems: ['OTP_INVALID', 'UNAVAILABLE'],
    handle: async ({ body, deps, now, address }) => {
      const phone = phoneOf(body.phone, deps.config.defaultRegion);
      const verified = await verify(deps, phone, { code: body.code, address });
      const user = await userWith(phone);
      if (!user) throw problem('OTP_INVALID');
      await verified.consume();
      return { token: tokenFor(deps.config, user._id, now), user };
    },
  }),
  route({
    method: 'get',
    path: '/api/auth/session',
    access: 'signed-in',
    tag,
    summary: 'Who am I, where am I, what may I do',
    description: 'A valid token is enough: a user who waits for approval asks here.',
    reply: { 200: Session },
    handle: async ({ actor, deps, now }) => ({
      user: actor.user,
      currentLocation: actor.location,
      rules:
        actor.user.approvalStatus === 'APPROVED' ? rulesOnTheWire(actor, now, await zoneOf(deps.config)) : [],
      ...addressForOthers(deps.config.publicUrl),
    }),
  }),
  route({
    method: 'post',
    path: '/api/setup',
    access: 'public',
    tag: 'Setup',
    summary: 'Make the first super-admin, with the link that the log prints at the first start',
    description:
      'Twice: without `code` it sends one to the phone, and with it makes the account. The link stays good until then, so that a phone that was mistyped can be corrected.',
    body: Setup,
    example: { token: 'from-the-link', phone: '+12065550100', firstName: 'Ada', lastName: 'Field' },
    reply: { 200: Message, 201: SignedInReply },
    problems: ['FORBIDDEN', 'OTP_INVALID', 'PHONE_TAKEN', 'UNAVAILABLE'],
    handle: async ({ body, deps, address, now }) => {
      const phone = phoneOf(body.phone, deps.config.defaultRegion);
      await requireSetupLink(deps.config, body.token);
      if (body.code === undefined) return await sendSignUp(deps, body.phone, address);
      const verified = await verify(deps, phone, { code: body.code, address });
      const { firstName, lastName, email = null } = body;
      const user = await makeFirstSuperAdmin({ phone, firstName, lastName, email }, verified, now);
      // Signed in at once: whoever holds the link goes on to set the study up.
      return created({ token: tokenFor(deps.config, user._id, now), user }, `/api/users/${user._id}`);
    },
  }),
];

/** Records have `_id`, their wire form `id`: the rules for a client speak of the latter. */
function rulesOnTheWire({ user, location }: SignedIn, now: Date, timeZone: string): unknown {
  const { rules } = abilityFor({ user, location, now, timeZone });
  return JSON.parse(JSON.stringify(packRules(rules)).replaceAll('"_id":', '"id":'));
}

/** Coupons are opened on other people's phones: an address that names the machine itself would lead nowhere there. */
function addressForOthers(publicUrl: string): { publicUrl?: string } {
  const ofItself = /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(publicUrl).hostname);
  return ofItself ? {} : { publicUrl };
}
