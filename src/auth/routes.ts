import { setTimeout as sleep } from 'node:timers/promises';
import { packRules } from '@casl/ability/extra';
import { abilityFor } from '../access/abilities.ts';
import type { SignedIn } from '../access/chain.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../http/deps.ts';
import { Message } from '../http/fields.ts';
import { forgiveSending, limitSending } from '../http/limits.ts';
import { Problem, problem } from '../http/problem.ts';
import { created, type Route, route } from '../http/route.ts';
import { requireLocation } from '../locations/model.ts';
import { insertUser, newUser, phoneOf } from '../users/create.ts';
import { type UserRecord, Users } from '../users/model.ts';
import { sendCode, type VerifiedCode, verifyCode } from './otp.ts';
import { SendOtp, Session, Setup, SignedInReply, VerifyLogin, VerifySignup } from './schema.ts';
import { makeFirstSuperAdmin } from './setup.ts';
import { tokenFor } from './token.ts';

const tag = 'Auth';
/** The same words whether or not the phone has an account. */
const SENT = {
  message:
    'If this phone can receive it, a code is on its way: by SMS, or in the log of the service where no SMS provider is set up.',
};

async function send(deps: Deps, phone: string, address: string, deliver: boolean): Promise<typeof SENT> {
  if (deps.config.rateLimits) await limitSending(phone, address);
  try {
    if (deliver) await sendCode(deps, phone);
  } catch (error) {
    if (deps.config.rateLimits && error instanceof Problem && error.name === 'UNAVAILABLE')
      await forgiveSending(phone);
    throw error;
  }
  return SENT;
}

/**
 * Twilio is asked only for a phone with an account, or with a code under way, and that takes its time. What a
 * stranger could learn from is held back until this long after the request, whoever was asked.
 */
const EVEN_MS = 2_000;

function evenly({ otp }: Deps): () => Promise<void> {
  const end = performance.now() + (otp.name === 'twilio' ? EVEN_MS : 0);
  return async () => await sleep(Math.max(0, end - performance.now()));
}

/** What is wrong with the number itself is told to new users alone: of a login it would tell that there is one. */
async function sendLogin(deps: Deps, phone: string, address: string): Promise<typeof SENT> {
  const even = evenly(deps);
  const known = (await userWith(phone)) !== null;
  try {
    return await send(deps, phone, address, known);
  } catch (error) {
    if (error instanceof Problem && error.name === 'VALIDATION_ERROR') return SENT;
    throw error;
  } finally {
    await even();
  }
}

async function verify(deps: Deps, phone: string, code: string): Promise<VerifiedCode> {
  const even = evenly(deps);
  try {
    return await verifyCode(deps, phone, code);
  } catch (error) {
    await even();
    throw error;
  }
}

const userWith = (phone: string) => Users.findOne({ phone, deletedAt: null }).lean<UserRecord>();

export const authRoutes: Route[] = [
  route({
    method: 'post',
    path: '/api/auth/send-otp-signup',
    access: 'public',
    tag,
    summary: 'Send a one-time code to the phone of a new user',
    description:
      'By SMS; without Twilio’s settings it is printed in the terminal that runs the service. A new code ends the old one. Again after 30 seconds at the earliest; 5 an hour a phone.',
    body: SendOtp,
    example: { phone: '+12065550123' },
    reply: { 200: Message },
    problems: ['RATE_LIMITED', 'UNAVAILABLE'],
    handle: async ({ body, deps, address }) =>
      await send(deps, phoneOf(body.phone, deps.config.defaultRegion), address, true),
  }),
  route({
    method: 'post',
    path: '/api/auth/send-otp-login',
    access: 'public',
    tag,
    summary: 'Send a one-time code to the phone of a returning user',
    description: 'The answer is the same for a phone without an account; nothing is sent to it then.',
    body: SendOtp,
    example: { phone: '+12065550100' },
    reply: { 200: Message },
    problems: ['RATE_LIMITED', 'UNAVAILABLE'],
    handle: async ({ body, deps, address }) => {
      const phone = phoneOf(body.phone, deps.config.defaultRegion);
      return await sendLogin(deps, phone, address);
    },
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
    handle: async ({ body, deps, now }) => {
      const phone = phoneOf(body.phone, deps.config.defaultRegion);
      const location = body.location ? await requireLocation(body.location) : null;
      const verified = await verify(deps, phone, body.code);
      if (await userWith(phone)) throw problem('PHONE_TAKEN');
      const { firstName, lastName, email = null, role } = body;
      const user = newUser({ phone, firstName, lastName, email, role, location }, now);
      await inTransaction(async (session) => {
        await verified.consume(session);
        await insertUser(session, user);
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
    handle: async ({ body, deps, now }) => {
      const phone = phoneOf(body.phone, deps.config.defaultRegion);
      const verified = await verify(deps, phone, body.code);
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
      rules: actor.user.approvalStatus === 'APPROVED' ? rulesOnTheWire(actor, now, deps) : [],
      at: now,
      ...addressForOthers(deps.config.publicUrl),
    }),
  }),
  route({
    method: 'post',
    path: '/api/setup',
    access: 'public',
    tag: 'Setup',
    summary: 'Make the first super-admin, with the link that the log prints at the first start',
    body: Setup,
    example: { token: 'from-the-link', phone: '+12065550100', firstName: 'Ada', lastName: 'Field' },
    reply: { 201: SignedInReply },
    problems: ['FORBIDDEN', 'PHONE_TAKEN'],
    handle: async ({ body, deps, now }) => {
      const phone = phoneOf(body.phone, deps.config.defaultRegion);
      const { firstName, lastName, email = null } = body;
      const user = await makeFirstSuperAdmin(
        deps.config,
        body.token,
        { phone, firstName, lastName, email },
        now,
      );
      // Signed in at once: whoever holds the link goes on to set the study up.
      return created({ token: tokenFor(deps.config, user._id, now), user }, `/api/users/${user._id}`);
    },
  }),
];

/** Records have `_id`, their wire form `id`: the rules for a client speak of the latter. */
function rulesOnTheWire({ user, location }: SignedIn, now: Date, { config }: Deps): unknown {
  const { rules } = abilityFor({ user, location, now, timeZone: config.timeZone });
  return JSON.parse(JSON.stringify(packRules(rules)).replaceAll('"_id":', '"id":'));
}

/** Coupons are opened on other people's phones: an address that names the machine itself would lead nowhere there. */
function addressForOthers(publicUrl: string): { publicUrl?: string } {
  const ofItself = /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(publicUrl).hostname);
  return ofItself ? {} : { publicUrl };
}
