/**
 * A sign-in code that a colleague creates for someone who gets no text message: six digits to type, and twelve
 * characters in a link, which stay valid even if strangers use up the guesses of the digits. It works once, instead of
 * a code by SMS, and the person then sees who created it. The creator could sign in with it too, so creating one
 * requires a permission of its own, and both steps are in the history.
 */
import { randomInt } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { countAgainstLimit, type RateLimit } from '../../platform/http/limits/rate-limits.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isDeepEqual } from '../../platform/lib/objects/deep-equal.ts';
import { type Actor, authorFromActor, type HasDeadline } from '../../platform/rights/actor.ts';
import { loadPermittedRecord } from '../../platform/rights/guard.ts';
import { UserModel, type UserRecord } from '../../study/users/model.ts';
import {
  findMatchingOtp,
  newOneTimeCode,
  ONE_TIME_CODE_LIFETIME_MS,
  oneTimeCodeHashOf,
  sameHash,
} from './otp/otp.ts';
import { SignInCodeModel, type SignInCodeRecord } from './otp/otp-model.ts';

const CODE_LIMIT: RateLimit = { name: 'sign-in-codes', points: 20, duration: 3600 };

export async function makeSignInCode(actor: Actor, deps: Deps, id: string) {
  const { by, now } = authorFromActor(actor);
  const find = async (session?: ClientSession) => {
    const user = await loadPermittedRecord(actor, 'signIn', UserModel, id, session);
    requireSignsIn(actor, user);
    return user;
  };
  // Refused requests don't count.
  await find();
  if (deps.config.rateLimits) await countAgainstLimit(CODE_LIMIT, String(by));
  const [code, linkCode] = [newOneTimeCode(), newLinkCode()];
  const expiresAt = new Date(now.getTime() + ONE_TIME_CODE_LIFETIME_MS);
  const { phone } = await inTransaction(async (session) => {
    const user = await find(session);
    const { _id: record, location, role, permissions, tokenGeneration = 0 } = user;
    const newRecord = {
      ...{
        by,
        user: record,
        role,
        permissions,
        tokenGeneration,
        codeHash: oneTimeCodeHashOf(deps, user.phone, code),
      },
      linkHash: oneTimeCodeHashOf(deps, user.phone, linkCode),
      ...{ tries: 0, triesBy: {}, strangersTries: 0, askedBy: [], createdAt: now, expiresAt },
    };
    await SignInCodeModel.updateOne({ phone: user.phone }, newRecord, { upsert: true, session });
    await audit(session, { by, now }, { action: 'signInCode', subject: 'User', record, location });
    return user;
  }, actor.deadline);
  // After `#`, so that no server or proxy logs it.
  const url = `${deps.config.publicUrl}/sign-in#${new URLSearchParams({ phone, code: linkCode })}`;
  return { code, url, expiresAt };
}

/**
 * A phone that never returned a message may be fake: whoever made up the account could act as a second person, who pays
 * or approves what the first one may not.
 */
function requireSignsIn(actor: Actor, { approvalStatus, phoneProvedAt }: UserRecord): void {
  if (approvalStatus !== 'APPROVED') throw problem('INVALID_TRANSITION', { why: fault('ONLY_APPROVED') });
  if (!phoneProvedAt && actor.user.role !== 'SUPER_ADMIN')
    throw problem('INVALID_TRANSITION', { why: fault('PHONE_NOT_PROVED') });
}

/** The owner of this phone if a colleague created the code, otherwise null. */
export async function redeemSignInCode(
  deps: Deps,
  guess: { phone: string; code: string; caller: string },
  { now, deadline }: HasDeadline & { now: Date },
): Promise<UserRecord | null> {
  const stored = isLinkCode(guess.code)
    ? await matchLinkCode(deps, guess, now)
    : await findMatchingOtp(SignInCodeModel, deps, guess);
  if (!stored) return null;
  return await inTransaction(async (session) => {
    const { phone, createdAt, codeHash } = stored;
    const deletion = await SignInCodeModel.deleteOne({ phone, createdAt, codeHash }, { session });
    const user = await UserModel.findOne({ phone, deletedAt: null }).session(session).lean<UserRecord>();
    if (deletion.deletedCount !== 1 || !user || !isStillFor(stored, user)) throw problem('OTP_INVALID');
    const { _id: record, location } = user;
    const codeSignIn = { by: stored.by, at: now };
    await UserModel.updateOne({ _id: record }, { codeSignIn }, { session });
    const changes = [{ path: 'codeSignIn', before: null, after: stored.by }];
    const event = { action: 'signIn', subject: 'User', record, location, changes } as const;
    await audit(session, { by: record, now }, event);
    return user;
  }, deadline);
}

/** Letters and digits that can't be mistaken for one another. */
export const SIGN_IN_LINK_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LINK_LENGTH = 12;

const newLinkCode = () =>
  Array.from(
    { length: LINK_LENGTH },
    () => SIGN_IN_LINK_ALPHABET[randomInt(SIGN_IN_LINK_ALPHABET.length)],
  ).join('');

export const isLinkCode = (code: string): boolean => code.length === LINK_LENGTH;

/** Not counted as a try, because 2^60 codes can't be guessed. */
async function matchLinkCode(
  deps: Deps,
  { phone, code }: { phone: string; code: string },
  now: Date,
): Promise<SignInCodeRecord | null> {
  const live = await SignInCodeModel.findOne({ phone, expiresAt: { $gt: now } }).lean<SignInCodeRecord>();
  return sameHash(live?.linkHash ?? '', oneTimeCodeHashOf(deps, phone, code.toUpperCase())) ? live : null;
}

const isStillFor = (code: SignInCodeRecord, { _id, role, permissions, tokenGeneration = 0 }: UserRecord) =>
  code.user.equals(_id) &&
  code.role === role &&
  code.tokenGeneration === tokenGeneration &&
  isDeepEqual(code.permissions, permissions);
