/** Printed batches: the state of their codes, reprinting unused ones, and voiding them. */

import type { Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isRecordId } from '../../platform/lib/record-id.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { loadRounds } from '../../study/rounds/model.ts';
import { CodeBatchModel, type CodeBatchRecord, ReferralCodeModel } from './model.ts';
import type { CodeState } from './schema.ts';

export interface CodeBatchCounts extends CodeBatchRecord {
  /** Not handed out, as far as the service knows. */
  left: number;
  handedOut: number;
  redeemed: number;
  voided: number;
}

type States = Record<CodeState, number>;
const NO_CODES: States = { RESERVED: 0, LIVE: 0, USED: 0, VOID: 0, EXPIRED: 0 };

/** Uses the index on `batch`, and counts only the batches on the page. */
export async function countCodeStatesByBatch(
  batches: Types.ObjectId[],
  now: Date,
): Promise<Map<string, States>> {
  const rounds = await loadRounds();
  const closed = rounds.filter(({ state }) => state === 'CLOSED').map(({ _id }) => _id);
  const isTimeOver = { $and: [{ $gt: ['$expiresAt', null] }, { $lte: ['$expiresAt', now] }] };
  const isExpired = {
    $and: [{ $eq: ['$state', 'LIVE'] }, { $or: [isTimeOver, { $in: ['$round', closed] }] }],
  };
  const groups = await ReferralCodeModel.collection
    .aggregate<{ _id: { batch: Types.ObjectId; state: CodeState }; codes: number }>([
      { $match: { batch: { $in: batches } } },
      {
        $group: {
          _id: { batch: '$batch', state: { $cond: [isExpired, 'EXPIRED', '$state'] } },
          codes: { $sum: 1 },
        },
      },
    ])
    .toArray();
  const states = new Map(batches.map((id) => [String(id), { ...NO_CODES }]));
  for (const { _id, codes } of groups) {
    const one = states.get(String(_id.batch));
    if (one) one[_id.state] = codes;
  }
  return states;
}

export async function listBatches(now: Date): Promise<CodeBatchCounts[]> {
  const batches = await CodeBatchModel.find().sort({ createdAt: -1, _id: -1 }).lean<CodeBatchRecord[]>();
  const states = await countCodeStatesByBatch(
    batches.map((one) => one._id),
    now,
  );
  return batches.map((batch) => {
    const { RESERVED, LIVE, EXPIRED, USED, VOID } = states.get(String(batch._id)) ?? NO_CODES;
    return { ...batch, left: RESERVED, handedOut: LIVE + EXPIRED, redeemed: USED, voided: VOID };
  });
}

export async function findBatch(id: string): Promise<CodeBatchRecord> {
  const batch = isRecordId(id) ? await CodeBatchModel.findById(id).lean<CodeBatchRecord>() : null;
  if (!batch) throw problem('NOT_FOUND', { why: fault('NO_BATCH', { batch: id }) });
  return batch;
}

export async function batchExists(id: string): Promise<boolean> {
  return (await CodeBatchModel.exists({ _id: id })) !== null;
}

/** The codes that can still be handed out. */
export async function remainingCodes(batch: Types.ObjectId): Promise<string[]> {
  const codes = await ReferralCodeModel.find({ batch, state: 'RESERVED' }, { code: 1 })
    .sort({ createdAt: 1, _id: 1 })
    .lean();
  if (codes.length === 0) throw problem('NOT_FOUND', { why: fault('BATCH_EMPTY') });
  return codes.map((one) => one.code);
}

/** Voids the remaining coupons of a lost or leftover batch; those that were handed out stay valid. */
export async function voidRemainingBatchCodes(
  batch: Types.ObjectId,
  { by, now, deadline, reason = 'What was left of its batch.' }: Author & { reason?: string },
): Promise<number> {
  return await inTransaction(async (session) => {
    const ids = await ReferralCodeModel.find({ batch, state: 'RESERVED' }, { _id: 1 })
      .session(session)
      .lean();
    if (ids.length === 0) return 0;
    await ReferralCodeModel.collection.updateMany(
      { _id: { $in: ids.map((one) => one._id) } },
      { $set: { state: 'VOID', voidedAt: now, voidReason: reason } },
      { session },
    );
    const batchRecord = await CodeBatchModel.findById(batch, { location: 1 }).session(session).lean();
    const changes = [{ path: 'state', before: 'RESERVED', after: `VOID: ${reason}` }];
    const event = {
      action: 'update',
      subject: 'ReferralCode',
      location: batchRecord?.location,
      changes,
    } as const;
    await audit(session, { by, now }, ...ids.map(({ _id: record }) => ({ ...event, record })));
    return ids.length;
  }, deadline);
}
