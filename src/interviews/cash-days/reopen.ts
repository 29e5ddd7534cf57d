import { audit, changesOf } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { loadPermittedRecord } from '../../platform/rights/guard.ts';
import { CashDayModel, type CashDayRecord } from './model.ts';

/** The record keeps its counts; the day can be closed again. */
export async function reopenCashDay(actor: Actor, id: string, reason: string): Promise<CashDayRecord> {
  return await inTransaction(async (session) => {
    const before = await loadPermittedRecord(actor, 'update', CashDayModel, id, session);
    if (before.state === 'REOPENED') throw problem('INVALID_TRANSITION');
    const changed = { state: 'REOPENED', reopenedBy: actor.user._id, reopenedAt: actor.now, reason } as const;
    await CashDayModel.collection.updateOne({ _id: before._id }, { $set: changed }, { session });
    const { _id: record, location } = before;
    const changes = changesOf({ state: before.state }, { state: changed.state });
    const event = { action: 'update', subject: 'CashDay', record, location, changes, reason } as const;
    await audit(session, authorFromActor(actor), event);
    return { ...before, ...changed };
  }, actor.deadline);
}
