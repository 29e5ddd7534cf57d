/** Signing in with a passkey, and confirming a session that was started with a code, by passkey or recovery code. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { inTransaction } from '../../../platform/db/transaction.ts';
import type { Deps } from '../../../platform/http/deps.ts';
import { countAgainstLimit, type RateLimit } from '../../../platform/http/limits/rate-limits.ts';
import { asProblem } from '../../../platform/http/problems/errors.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import type { AuthenticatedCaller, HasDeadline } from '../../../platform/rights/actor.ts';
import { type Passkey, UserModel, type UserRecord, type UserSession } from '../../../study/users/model.ts';
import { requireOwnSignIn } from '../../../study/users/passkeys.ts';
import { auditFailedSignIn } from '../failed-sign-ins.ts';
import { CHALLENGE_LIFETIME_MS, isValidChallenge, newChallenge } from './challenge.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { loadWebAuthn, relyingParty, withErrorsAsPasskeyProblem } from './relying-party.ts';
import type { PasskeyAssertion, PasskeyVerify } from './schema.ts';
import { spendChallenge } from './used-challenges.ts';

/** The same for everyone, so that it doesn't reveal which accounts have passkeys. */
export async function createPasskeySignInOptions({ config }: Deps, now: Date) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return await generateAuthenticationOptions({
    rpID: relyingParty(config).rpID,
    challenge: newChallenge(config, 'sign-in', now),
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
  });
}

type Times = HasDeadline & { now: Date };

/** The owner of the passkey, identified by its user handle. */
export async function signInWithPasskey(
  deps: Deps,
  response: PasskeyAssertion,
  times: Times,
): Promise<UserRecord> {
  const _id = idIn(response.response.userHandle);
  const user = _id && (await UserModel.findOne({ _id, deletedAt: null }).lean<UserRecord>());
  if (!user) throw problem('PASSKEY_INVALID');
  await acceptPasskey(deps, user, response, times);
  return user;
}

function idIn(handle: string | undefined): Types.ObjectId | null {
  const bytes = Buffer.from(handle ?? '', 'base64url');
  return bytes.length === 12 ? new mongoose.Types.ObjectId(bytes) : null;
}

const RECOVERY_TRIES: RateLimit = { name: 'recovery-codes', points: 10, duration: 3600 };

/** The session has its second factor from now on. */
export async function verifySecondFactor(
  deps: Deps,
  caller: AuthenticatedCaller,
  { response, recoveryCode }: PasskeyVerify,
  now: Date,
): Promise<UserSession> {
  const { user, session: current, deadline } = caller;
  requireOwnSignIn(current);
  if (!current) throw problem('FORBIDDEN');
  const expiresAt = new Date(now.getTime() + deps.config.jwtTtl * 1000);
  const raise = (session: ClientSession) => raiseSession(session, user, { ...current, expiresAt });
  if (response) await acceptPasskey(deps, user, response, { now, deadline }, raise);
  else await verifyByCode(deps, caller, recoveryCode ?? '', now, raise);
  return current;
}

type ExtraUpdate = (session: ClientSession) => Promise<void>;

async function raiseSession(
  session: ClientSession,
  { _id }: UserRecord,
  { id, expiresAt }: UserSession,
): Promise<void> {
  const raised = { $set: { 'sessions.$.secondFactor': true, 'sessions.$.expiresAt': expiresAt } };
  const { matchedCount } = await UserModel.collection.updateOne({ _id, 'sessions.id': id }, raised, {
    session,
  });
  if (matchedCount === 0) throw problem('UNAUTHORIZED');
}

async function verifyByCode(
  deps: Deps,
  { user, deadline }: AuthenticatedCaller,
  code: string,
  now: Date,
  raise: ExtraUpdate,
): Promise<void> {
  try {
    if (deps.config.rateLimits) await countAgainstLimit(RECOVERY_TRIES, String(user._id));
    await inTransaction(async (session) => {
      const current = await findUser(session, user._id);
      await spendRecoveryCode(session, current, code, now);
      await raise(session);
    }, deadline);
  } catch (error) {
    const { name } = asProblem(error);
    if (name === 'OTP_INVALID') await auditFailedSignIn(deps, user, 'WRONG_RECOVERY_CODE');
    if (name === 'RATE_LIMITED') await auditFailedSignIn(deps, user, 'TOO_MANY_GUESSES');
    throw error;
  }
}

/** `alsoDo` runs in the transaction that uses up the challenge. Refusals are counted in the history of the account. */
async function acceptPasskey(
  deps: Deps,
  user: UserRecord,
  response: PasskeyAssertion,
  { now, deadline }: Times,
  alsoDo: ExtraUpdate = async () => {},
): Promise<void> {
  try {
    const signed = await checkSignature(deps, user, response, now);
    await inTransaction(async (session) => {
      await spendChallenge(session, signed.challenge, now);
      const { passkeys = [] } = await findUser(session, user._id);
      const passkey = passkeys.find(({ id }) => id.equals(signed.passkey.id));
      if (!passkey) throw problem('PASSKEY_INVALID');
      requireCounterRose(passkey, signed.counter);
      await UserModel.collection.updateOne(
        { _id: user._id, 'passkeys.id': passkey.id },
        { $set: { 'passkeys.$.counter': signed.counter, 'passkeys.$.lastUsedAt': now } },
        { session },
      );
      await alsoDo(session);
    }, deadline);
  } catch (error) {
    if (asProblem(error).name === 'PASSKEY_INVALID') {
      const isCounter = error instanceof Error && error.cause === COUNTER_TOO_LOW;
      await auditFailedSignIn(deps, user, isCounter ? 'PASSKEY_COUNTER' : 'WRONG_PASSKEY');
    }
    throw error;
  }
}

async function findUser(session: ClientSession, _id: Types.ObjectId): Promise<UserRecord> {
  const user = await UserModel.findOne({ _id, deletedAt: null }).session(session).lean<UserRecord>();
  if (!user) throw problem('UNAUTHORIZED');
  return user;
}

const COUNTER_TOO_LOW = 'the counter of signatures fell back';

/**
 * If the counter goes backwards, somebody has copied the authenticator. Authenticators without a counter always send 0.
 */
function requireCounterRose({ counter }: Passkey, signed: number): void {
  if (signed > counter || (signed === 0 && counter === 0)) return;
  throw problem('PASSKEY_INVALID', { cause: COUNTER_TOO_LOW });
}

async function checkSignature(
  { config }: Deps,
  { _id, passkeys = [] }: UserRecord,
  assertion: PasskeyAssertion,
  now: Date,
): Promise<{ passkey: Passkey; counter: number; challenge: string }> {
  const passkey = passkeys.find(({ credential }) => credential === assertion.id);
  const { userHandle } = assertion.response;
  // Without a handle, it must be one of the signed-in caller's own passkeys.
  const isOthers = userHandle !== undefined && idIn(userHandle)?.equals(_id) !== true;
  if (!passkey || isOthers) throw problem('PASSKEY_INVALID');
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { rpID, origin } = relyingParty(config);
  let challenge = '';
  const { verified, authenticationInfo } = await withErrorsAsPasskeyProblem(() =>
    verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: (signed) => {
        challenge = signed;
        return isValidChallenge(config, 'sign-in', signed, now);
      },
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: {
        id: passkey.credential,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // Compared in the transaction instead, where no other use can come in between.
        counter: 0,
      },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw problem('PASSKEY_INVALID');
  return { passkey, counter: authenticationInfo.newCounter, challenge };
}
