import { audit, changesOf } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { findRecord, requireRight } from '../../platform/rights/guard.ts';
import { CardModel, type CardRecord } from './model.ts';

/** Voids a free card, so that it can't be given out. */
export async function voidCard(actor: Actor, id: string, reason: string): Promise<CardRecord> {
  return await inTransaction(async (session) => {
    const before = await findRecord(CardModel, id, session);
    requireRight(actor, 'update', 'Card', before);
    if (before.state === 'VOID') throw problem('INVALID_TRANSITION');
    if (before.state === 'GIVEN') throw problem('INVALID_TRANSITION', { why: fault('CARD_GIVEN') });
    const changed = { state: 'VOID', reason } as const;
    await CardModel.collection.updateOne({ _id: before._id }, { $set: changed }, { session });
    const changes = changesOf({ state: before.state }, { state: changed.state });
    const event = { action: 'update', subject: 'Card', record: before._id, changes, reason } as const;
    await audit(session, authorFromActor(actor), event);
    return { ...before, ...changed };
  }, actor.deadline);
}
