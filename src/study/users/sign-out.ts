/** Signing out everywhere: every token that was issued before is refused from the next request on, by every process. */

import type { ClientSession } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type Actor, type Author, authorOf, type SignedIn } from '../../platform/rights/actor.ts';
import { load, requireRight } from '../../platform/rights/guard.ts';
import { type UserRecord, Users } from './model.ts';

export async function signOutSelf({ user, deadline }: SignedIn, now: Date): Promise<void> {
  await inTransaction((session) => endTokens(session, user, { by: user._id, now }), deadline);
}

/** Whoever may change the approval of an account may also end its sessions. */
export async function signOutUser(actor: Actor, id: string): Promise<void> {
  await inTransaction(async (session) => {
    const user = await load(actor, 'update', Users, id, session);
    requireRight(actor, 'update', 'User', user, 'approvalStatus');
    await endTokens(session, user, authorOf(actor));
  }, actor.deadline);
}

async function endTokens(session: ClientSession, user: UserRecord, author: Author): Promise<void> {
  const { _id: record, location } = user;
  await Users.collection.updateOne({ _id: record }, { $inc: { tokenGeneration: 1 } }, { session });
  await audit(session, author, { action: 'signOut', subject: 'User', record, location });
}
