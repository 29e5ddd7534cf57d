/** Passkeys of an account, stored in the user's record like its sessions. access/auth/passkeys adds and uses them. */
import type { ClientSession } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import {
  type Actor,
  type AuthenticatedCaller,
  type Author,
  authorFromActor,
} from '../../platform/rights/actor.ts';
import { parseId } from '../../platform/rights/guard.ts';
import { findUserByIdOrPhone } from './commands.ts';
import { UserModel, type UserRecord } from './model.ts';
import { hasPasskey } from './second-factor.ts';
import { findSessionById, loadUserToSignOut } from './sessions.ts';

export const listPasskeys = ({ passkeys = [], recoveryCodes = [] }: UserRecord) => ({
  data: passkeys,
  recoveryCodesLeft: recoveryCodes.length,
});

/** The caller's own record; throws if this session may not add or remove passkeys now. */
export async function requireMayChangePasskeys(
  session: ClientSession,
  caller: AuthenticatedCaller,
): Promise<UserRecord> {
  const user = await UserModel.findOne({ _id: caller.user._id, deletedAt: null })
    .session(session)
    .lean<UserRecord>();
  const current = user && caller.session ? findSessionById(user, caller.session.id) : undefined;
  if (!user || (caller.session && !current)) throw problem('UNAUTHORIZED');
  if (hasPasskey(user) && !current?.secondFactor)
    throw problem('FORBIDDEN', { why: fault('SECOND_FACTOR_REQUIRED') });
  requireOwnSignIn(current);
  return user;
}

/** Refuses sessions started with a colleague's code, because the colleague could have signed in with it. */
export function requireOwnSignIn(session: AuthenticatedCaller['session']): void {
  if (session?.method !== 'message' && session?.method !== 'passkey')
    throw problem('FORBIDDEN', { why: fault('OWN_SIGN_IN_REQUIRED') });
}

/** Removing the last passkey also removes the recovery codes. */
export async function removePasskey(caller: AuthenticatedCaller, id: string, now: Date): Promise<void> {
  const passkeyId = parseId(id);
  await inTransaction(async (session) => {
    const user = await requireMayChangePasskeys(session, caller);
    const { _id: record, location, passkeys = [] } = user;
    const removed = passkeys.find((one) => one.id.equals(passkeyId));
    if (!removed) throw problem('NOT_FOUND');
    const isLast = passkeys.length === 1;
    const change = isLast
      ? { $unset: { passkeys: '', recoveryCodes: '' } }
      : { $pull: { passkeys: { id: passkeyId } } };
    await UserModel.collection.updateOne({ _id: record }, change as object, { session });
    const changes = [{ path: 'passkeys', before: removed.name, after: null }];
    const event = { action: 'update', subject: 'User', record, location, changes } as const;
    await audit(session, { by: record, now }, event);
  }, caller.deadline);
}

/**
 * For somebody who has lost their passkeys. They see who removed them, because anyone with control of their phone
 * number could add one now.
 */
export async function resetPasskeysOf(actor: Actor, id: string): Promise<void> {
  await inTransaction(async (session) => {
    await resetPasskeys(session, await loadUserToSignOut(actor, id, session), authorFromActor(actor));
  }, actor.deadline);
}

/** For an operator, to let people in again if no other super-admin is left. */
export async function resetPasskeysByIdOrPhone(
  who: { name: string; region: string },
  now: Date,
): Promise<{ user: UserRecord; count: number }> {
  return await inTransaction(async (session) => {
    const user = await findUserByIdOrPhone(who, session);
    await resetPasskeys(session, user, { by: null, now });
    return { user, count: user.passkeys?.length ?? 0 };
  });
}

/** Also ends sessions that a passkey started or confirmed, because it may be in somebody else's hands. */
async function resetPasskeys(session: ClientSession, user: UserRecord, author: Author): Promise<void> {
  const { _id: record, location, passkeys = [] } = user;
  if (passkeys.length === 0) return;
  const { by, now } = author;
  await UserModel.collection.updateOne(
    { _id: record },
    {
      $unset: { passkeys: '', recoveryCodes: '' },
      $pull: { sessions: { secondFactor: true } },
      $set: { passkeysRemoved: { by, at: now } },
    } as object,
    { session },
  );
  const changes = passkeys.map(({ name }) => ({ path: 'passkeys', before: name, after: null }));
  await audit(session, author, { action: 'update', subject: 'User', record, location, changes });
}
