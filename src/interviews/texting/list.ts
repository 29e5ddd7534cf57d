import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { dateFilter } from '../../platform/http/lists/date-range.ts';
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { findRecord, requireReadsAll, requireRight, visibleFilter } from '../../platform/rights/guard.ts';
import { ContactModel } from '../contacts/model.ts';
import { MessageModel, type MessageRecord } from '../messages/model.ts';
import { MessageKind, MessageState } from '../messages/schema.ts';
import type { MessageQuery } from './schema.ts';

export async function listMessages(actor: Actor, query: MessageQuery) {
  const { state, kind } = query;
  const filter = {
    ...(state && { state }),
    ...(kind && { kind }),
    ...dateFilter('createdAt', query, actor.zone),
  };
  return await loadRecordPage(MessageModel, visibleFilter(actor, ['read'], MessageModel, filter), query);
}

export async function messageTotals(actor: Actor) {
  requireReadsAll(actor, 'Message');
  const [groups, today, contacts] = await Promise.all([
    MessageModel.collection
      .aggregate<{ _id: { kind: string; state: string }; count: number }>([
        { $group: { _id: { kind: '$kind', state: '$state' }, count: { $sum: 1 } } },
      ])
      .toArray(),
    MessageModel.countDocuments({ day: isoDateAt(actor.now, actor.zone) }),
    ContactModel.collection
      .aggregate<{ _id: string; count: number }>([{ $group: { _id: '$state', count: { $sum: 1 } } }])
      .toArray(),
  ]);
  const countOf = (kind: string, state: string) =>
    groups.find(({ _id }) => _id.kind === kind && _id.state === state)?.count ?? 0;
  const contactsIn = (state: string) => contacts.find(({ _id }) => _id === state)?.count ?? 0;
  return {
    byKind: MessageKind.options.map((kind) => ({
      kind,
      ...Object.fromEntries(MessageState.options.map((state) => [state, countOf(kind, state)])),
    })),
    today,
    contacts: {
      active: contactsIn('ACTIVE'),
      stopped: contactsIn('STOPPED'),
      invalid: contactsIn('INVALID'),
    },
  };
}

/**
 * Retries a text for a person who knows that it didn't arrive. A card whose delivery is unknown is never sent twice.
 */
export async function retryMessage(actor: Actor, id: string): Promise<MessageRecord> {
  return await inTransaction(async (session) => {
    const before = await findRecord(MessageModel, id, session);
    requireRight(actor, 'update', 'Message', before);
    if (before.state !== 'FAILED' && before.state !== 'UNKNOWN') throw problem('INVALID_TRANSITION');
    if (before.state === 'UNKNOWN' && before.kind === 'CARD')
      throw problem('INVALID_TRANSITION', { why: fault('CARD_MAY_BE_SENT') });
    const queued = { state: 'QUEUED', error: null, sendAt: actor.now } as const;
    await MessageModel.collection.updateOne({ _id: before._id }, { $set: queued }, { session });
    const changes = [{ path: 'state', before: before.state, after: queued.state }];
    const event = { action: 'update', subject: 'Message', record: before._id, changes } as const;
    await audit(session, authorFromActor(actor), event);
    return { ...before, ...queued };
  }, actor.deadline);
}
