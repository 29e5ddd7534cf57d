/** Printed batches: the state of their codes, printing unused ones again, voiding them. */

import type { Types } from 'mongoose';
import { audit } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { fault } from '../http/error-codes.ts';
import { problem } from '../http/problem.ts';
import type { Author } from '../rights/actor.ts';
import { type BatchRecord, CodeBatches, ReferralCodes } from './model.ts';

export interface BatchState extends BatchRecord {
  /** Not handed out, as far as the service knows. */
  left: number;
  handedOut: number;
  redeemed: number;
  voided: number;
}

export async function listBatches(): Promise<BatchState[]> {
  const batches = await CodeBatches.find().sort({ createdAt: -1, _id: -1 }).lean<BatchRecord[]>();
  const counts = await ReferralCodes.aggregate<{
    _id: { batch: Types.ObjectId; state: string };
    count: number;
  }>([
    { $match: { batch: { $type: 'objectId' } } },
    { $group: { _id: { batch: '$batch', state: '$state' }, count: { $sum: 1 } } },
  ]);
  return batches.map((batch) => {
    const of = (state: string) =>
      counts.find((one) => one._id.batch.equals(batch._id) && one._id.state === state)?.count ?? 0;
    return {
      ...batch,
      left: of('RESERVED'),
      handedOut: of('LIVE'),
      redeemed: of('USED'),
      voided: of('VOID'),
    };
  });
}

export async function findBatch(id: string): Promise<BatchRecord> {
  const found = /^[0-9a-f]{24}$/i.test(id) ? await CodeBatches.findById(id).lean<BatchRecord>() : null;
  if (!found) throw problem('NOT_FOUND', { why: fault('NO_BATCH', { batch: id }) });
  return found;
}

export async function batchExists(id: string): Promise<boolean> {
  return (await CodeBatches.exists({ _id: id })) !== null;
}

/** The codes that can still be handed out. */
export async function remainingCodes(batch: Types.ObjectId): Promise<string[]> {
  const codes = await ReferralCodes.find({ batch, state: 'RESERVED' }, { code: 1 })
    .sort({ createdAt: 1, _id: 1 })
    .lean();
  if (codes.length === 0) throw problem('NOT_FOUND', { why: fault('BATCH_EMPTY') });
  return codes.map((one) => one.code);
}

/** Voids the remaining coupons of a lost or leftover batch; those that were handed out stay valid. */
export async function voidRemaining(
  batch: Types.ObjectId,
  { by, now, deadline, reason = 'What was left of its batch.' }: Author & { reason?: string },
): Promise<number> {
  return await inTransaction(async (session) => {
    const ids = await ReferralCodes.find({ batch, state: 'RESERVED' }, { _id: 1 }).session(session).lean();
    if (ids.length === 0) return 0;
    await ReferralCodes.collection.updateMany(
      { _id: { $in: ids.map((one) => one._id) } },
      { $set: { state: 'VOID', voidedAt: now, voidReason: reason } },
      { session },
    );
    const made = await CodeBatches.findById(batch, { location: 1 }).session(session).lean();
    const changes = [{ path: 'state', before: 'RESERVED', after: `VOID: ${reason}` }];
    const event = { action: 'update', subject: 'ReferralCode', location: made?.location, changes } as const;
    await audit(session, { by, now }, ...ids.map(({ _id: record }) => ({ ...event, record })));
    return ids.length;
  }, deadline);
}
