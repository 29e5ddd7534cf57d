import type { ClientSession, Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type Actor, type Author, authorFromActor } from '../../platform/rights/actor.ts';
import { loadPermittedRecord } from '../../platform/rights/guard.ts';
import { ReadTokenModel, type ReadTokenRecord } from './model.ts';

export async function endToken(actor: Actor, id: string): Promise<void> {
  await inTransaction(async (session) => {
    const token = await loadPermittedRecord(actor, 'delete', ReadTokenModel, id, session);
    await endTokens(session, [token], authorFromActor(actor));
  }, actor.deadline);
}

/** Ends the tokens of someone who is no longer an approved super-admin. */
export async function endTokensOf(
  session: ClientSession,
  createdBy: Types.ObjectId,
  author: Author,
): Promise<void> {
  const tokens = await ReadTokenModel.find({ createdBy, deletedAt: null })
    .session(session)
    .lean<ReadTokenRecord[]>();
  await endTokens(session, tokens, author);
}

async function endTokens(session: ClientSession, tokens: ReadTokenRecord[], author: Author): Promise<void> {
  if (tokens.length === 0) return;
  const ids = tokens.map(({ _id }) => _id);
  await ReadTokenModel.collection.updateMany(
    { _id: { $in: ids } },
    { $set: { deletedAt: author.now } },
    { session },
  );
  const ends = ids.map((record) => ({ action: 'delete', subject: 'ReadToken', record }) as const);
  await audit(session, author, ...ends);
}
