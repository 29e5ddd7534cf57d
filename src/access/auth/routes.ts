import { packRules } from '@casl/ability/extra';
import { findByIdBatched } from '../../platform/db/batched-reads.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { MessageReply } from '../../platform/http/field-schemas.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { createdReply, defineRoute, noContentReply, routeGroup } from '../../platform/http/route.ts';
import { fullName } from '../../platform/lib/text/full-name.ts';
import type { AuthenticatedCaller } from '../../platform/rights/actor.ts';
import { signSendToken, signSignOutToken } from '../../platform/rights/token.ts';
import { requireExistingLocation } from '../../study/locations/model.ts';
import { cachedStudy } from '../../study/settings/cached-study.ts';
import { studyTimeZone } from '../../study/settings/time-zone.ts';
import { insertUser, newUser, requirePhone } from '../../study/users/create.ts';
import { UserModel, type UserRecord } from '../../study/users/model.ts';
import { secondFactorStateOf } from '../../study/users/second-factor.ts';
import {
  endCurrentSession,
  endOtherSession,
  listSessions,
  loadUserToSignOut,
  signOutEverywhere,
  startSendToken,
} from '../../study/users/sessions.ts';
import { abilityFor } from '../rules/abilities.ts';
import { checkSignUpCode, signInWithCode } from './check-code.ts';
import {
  CreatedSignInCode,
  FirstAdminSetup,
  SendOtp,
  SendTokenReply,
  Session,
  SessionList,
  SignedInReply,
  VerifyLogin,
  VerifySignup,
} from './schema.ts';
import { sendLoginCode, sendSignUpCode } from './send-code.ts';
import { createFirstSuperAdmin, requireSetupLink } from './setup-link.ts';
import { makeSignInCode } from './sign-in-code.ts';
import { replyToSignIn } from './signed-in.ts';

export const authRoutes = routeGroup({ tag: 'Auth' }, [
  defineRoute({
    method: 'post',
    path: '/api/auth/send-otp-signup',
    access: 'public',
    summary: 'Send a one-time code to the phone of a new user',
    description:
      'By SMS, or by a phone call that reads it out if `OTP_CHANNELS` allows it (otherwise 400 for `channel`). Without Twilio settings, the terminal that runs the service prints it. A new code replaces the old one. Only mobile numbers in the countries of `OTP_COUNTRIES` get codes, otherwise 400 for `phone`. One address can request a code for one phone every 30 seconds and 5 times an hour; a phone gets 10 a day. A `device` on which the phone has signed in before has 5 an hour of its own, which requests from elsewhere don’t use up. The reply comes before the message is sent.',
    body: SendOtp,
    example: { phone: '+12065550123' },
    reply: { 200: MessageReply },
    handle: async ({ body, deps, address }) => await sendSignUpCode(deps, body, address),
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/send-otp-login',
    access: 'public',
    summary: 'Send a one-time code to the phone of a returning user',
    description:
      'The reply is the same if the phone has no account, but then nothing is sent. The same numbers and limits apply as for signing up.',
    body: SendOtp,
    example: { phone: '+12065550100' },
    reply: { 200: MessageReply },
    handle: async ({ body, deps, address }) => await sendLoginCode(deps, body, address),
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/verify-otp-signup',
    access: 'public',
    summary: 'Verify the code, create the account (PENDING) and return a token',
    description:
      'If the phone already has an account: 409, and the code can still be used for verify-otp-login. A request with an invalid field uses up neither the code nor a try.',
    body: VerifySignup,
    example: { phone: '+12065550123', code: '123456', firstName: 'Bo', lastName: 'Lind' },
    reply: { 201: SignedInReply },
    problems: ['OTP_INVALID', 'PHONE_TAKEN'],
    handle: async ({ body, deps, now, address, userAgent, deadline }) => {
      const phone = requirePhone(body.phone, deps.config.defaultRegion);
      const location = body.location ? await requireExistingLocation(body.location) : null;
      const { verified, isTaken } = await checkSignUpCode(deps, { ...body, phone, address });
      if (isTaken) throw problem('PHONE_TAKEN');
      const { firstName, lastName, email = null, role } = body;
      const fields = { phone, firstName, lastName, email, role, location };
      const user = newUser({ ...fields, phoneProvedAt: now }, now);
      await inTransaction(async (session) => {
        await verified.consume(session);
        await insertUser(session, user, user._id);
      }, deadline);
      const { device } = body;
      const reply = await replyToSignIn(deps, user, { device, userAgent, method: 'message', now });
      return createdReply(reply, `/api/users/${user._id}`);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/verify-otp-login',
    access: 'public',
    summary: 'Verify the code and return a token',
    description:
      'Works with any approval status. A phone without an account gets 400 OTP_INVALID, as for a wrong code. Also accepts a code that a colleague created (POST /api/users/:id/sign-in-code).',
    body: VerifyLogin,
    example: { phone: '+12065550100', code: '123456' },
    reply: { 200: SignedInReply },
    problems: ['OTP_INVALID'],
    handle: async ({ body, deps, now, address, userAgent, deadline }) => {
      const phone = requirePhone(body.phone, deps.config.defaultRegion);
      const { user, method } = await signInWithCode(deps, { ...body, phone, address }, { now, deadline });
      return await replyToSignIn(deps, user, { device: body.device, userAgent, method, now });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/auth/session',
    access: 'signed-in',
    needsNoSecondFactor: true,
    summary: 'Get the signed-in user, with location and permissions',
    description: 'Any valid token works, even if the user is still waiting for approval.',
    reply: { 200: Session },
    handle: async ({ actor, deps, now }) => ({
      user: actor.user,
      secondFactor: secondFactorStateOf(actor.user, actor.session, (await cachedStudy()).secondFactor),
      currentLocation: actor.location,
      rules:
        actor.user.approvalStatus === 'APPROVED'
          ? serializeRules(actor, now, await studyTimeZone(deps.config))
          : [],
      ...(actor.session && { signOutToken: signSignOutToken(deps.config, actor.user, actor.session) }),
      ...shareableUrl(deps.config.publicUrl),
      ...(await codeSignIn(actor.user)),
      ...(await passkeysRemoved(actor.user)),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/users/:id/sign-in-code',
    tag: 'Users',
    summary: 'Create a sign-in code for a user who gets no text message',
    description:
      'A one-time code of 6 digits, valid for 10 minutes, which the user enters instead of one from an SMS. `url` opens the sign-in page with phone and code filled in; its code has 12 characters. 20 wrong guesses end the digits, but not the 12 characters. Only for approved users whose phone has received and returned a code by SMS or call before, otherwise 409; a super-admin can create one for other phones too. Only a super-admin can create one for a user with grants. A new code, signing out everywhere, or a change of role or grants makes it invalid. At most 20 an hour.',
    reply: { 201: CreatedSignInCode },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id, deps }) =>
      createdReply(await makeSignInCode(actor, deps, id), `/api/users/${id}`),
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/sign-out-everywhere',
    access: 'signed-in',
    summary: 'End all your sessions, including this one',
    description:
      'All tokens that were issued to the caller get 401 from the next request on. Any valid token works, even if the user is still waiting for approval.',
    reply: { 204: null },
    handle: async ({ actor, now }) => {
      await signOutEverywhere(actor, now);
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/sign-out',
    access: 'signed-in',
    needsNoSecondFactor: true,
    signOutToken: true,
    summary: 'End this session',
    description:
      'Also accepts `signOutToken` of GET /api/auth/session, which is good for nothing else, so that a device can store it and sign out later. The token of the request gets 401 from the next request on. The send token of this session stays valid, so that the device can still deliver finished interviews. A token that was issued before there were sessions stays valid until it expires.',
    reply: { 204: null },
    handle: async ({ actor, now }) => {
      await endCurrentSession(actor, now);
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/auth/sessions',
    access: 'signed-in',
    summary: 'List your sessions',
    description:
      'Newest first, at most 20: those whose token or send token is still valid. Any valid token works, even if the user is still waiting for approval.',
    reply: { 200: SessionList },
    handle: async ({ actor, now }) => listSessions(actor.user, now, actor.session),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/auth/sessions/:id',
    access: 'signed-in',
    summary: 'End one of your sessions',
    description: 'Its token and its send token get 401 from the next request on.',
    reply: { 204: null },
    handle: async ({ actor, id, now }) => {
      await endOtherSession(actor, id, now);
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/send-token',
    access: 'signed-in',
    needsNoSecondFactor: true,
    summary: 'Get a token that only delivers finished interviews',
    description:
      'For the device of this session, so that it can deliver interviews after the session has expired. Valid for 30 days, and only for the routes that say so; all others refuse it with 403. It ends when the session is ended from elsewhere, by signing out everywhere, or when the account is rejected or deleted, but not by signing out on the device. 403 for a token that was issued before there were sessions.',
    reply: { 201: SendTokenReply },
    handle: async ({ actor, deps, now }) => {
      const until = await startSendToken(actor, now);
      const token = actor.session && signSendToken(deps.config, actor.user, actor.session, { now, until });
      return createdReply({ token, expiresAt: until }, '/api/auth/sessions');
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/users/:id/sessions',
    tag: 'Users',
    summary: 'List the sessions of a user',
    description: 'For callers who may sign this user out (POST /api/users/:id/sign-out).',
    reply: { 200: SessionList },
    handle: async ({ actor, id, now }) => listSessions(await loadUserToSignOut(actor, id), now),
  }),
  defineRoute({
    method: 'post',
    path: '/api/setup',
    access: 'public',
    tag: 'Setup',
    summary: 'Create the first super-admin, with the setup link',
    description:
      'Call it twice: without `code`, to send a code to the phone, and with `code`, to create the account. The link works until then, so a mistyped phone number can be corrected.',
    body: FirstAdminSetup,
    example: { token: 'from-the-link', phone: '+12065550100', firstName: 'Ada', lastName: 'Field' },
    reply: { 200: MessageReply, 201: SignedInReply },
    problems: ['FORBIDDEN', 'OTP_INVALID', 'PHONE_TAKEN'],
    handle: async ({ body, deps, address, userAgent, now, deadline }) => {
      const phone = requirePhone(body.phone, deps.config.defaultRegion);
      await requireSetupLink(deps.config, body.token);
      const { firstName, lastName, email = null, code, device: deviceId } = body;
      if (code === undefined)
        return await sendSignUpCode(deps, { phone, channel: 'sms', device: deviceId }, address);
      const { verified } = await checkSignUpCode(deps, { phone, code, device: deviceId, address });
      const user = await createFirstSuperAdmin({ phone, firstName, lastName, email }, verified, {
        now,
        deadline,
      });
      const signIn = { device: deviceId, userAgent, method: 'message', now } as const;
      // Sign the person in at once, so that they can go on to set up the study.
      return createdReply(await replyToSignIn(deps, user, signIn), `/api/users/${user._id}`);
    },
  }),
]);

/** Stored records have `_id`, but the client sees `id`, so its rules must use `id`. */
function serializeRules({ user, location }: AuthenticatedCaller, now: Date, timeZone: string): unknown {
  const { rules } = abilityFor({ user, location, now, timeZone });
  return JSON.parse(JSON.stringify(packRules(rules)).replaceAll('"_id":', '"id":'));
}

/** Coupons are opened on other people's phones, where a localhost address wouldn't work. */
function shareableUrl(publicUrl: string): { publicUrl?: string } {
  const isLoopback = /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(publicUrl).hostname);
  return isLoopback ? {} : { publicUrl };
}

/** The name of the colleague whose code the person last signed in with, even if that account was deleted. */
async function codeSignIn({ codeSignIn: last }: UserRecord): Promise<object> {
  if (!last) return {};
  return { codeSignIn: { at: last.at, name: await nameOf(last.by) } };
}

async function passkeysRemoved({ passkeysRemoved: last }: UserRecord): Promise<object> {
  return last ? { passkeysRemoved: { at: last.at, name: await nameOf(last.by) } } : {};
}

async function nameOf(id: UserRecord['_id'] | null): Promise<string | null> {
  const user = id && (await findByIdBatched(UserModel, id));
  return user ? fullName(user) : null;
}
