/** Routes of printed batches: the state of their codes, and voiding unused ones. */
import type { Types } from 'mongoose';
import { PAGE_MEMORY } from '../http/memory-budget.ts';
import { page } from '../http/page.ts';
import { route, routeGroup } from '../http/route.ts';
import { type Actor, authorOf } from '../rights/actor.ts';
import { requireRight, visible } from '../rights/guard.ts';
import { findBatch, voidRemaining } from './batches.ts';
import { type BatchRecord, CodeBatches, ReferralCodes } from './model.ts';
import { BatchList, BatchQuery, BatchVoid, BatchVoided, type CodeState } from './schema.ts';

/** A batch follows the rights of its codes. */
function requireMayOnAll(actor: Actor, action: 'read' | 'update', batch: BatchRecord): void {
  const { _id, location, createdBy, createdAt } = batch;
  const code = { state: 'RESERVED', batch: _id, location, createdBy, createdAt };
  requireRight(actor, action, 'ReferralCode', code);
}

type States = Record<CodeState, number>;
const NONE: States = { RESERVED: 0, LIVE: 0, USED: 0, VOID: 0, EXPIRED: 0 };

/** Counts by the index on `batch`, and only the batches of the page. */
async function countStates(batches: Types.ObjectId[], now: Date): Promise<Map<string, States>> {
  const isExpired = {
    $and: [{ $eq: ['$state', 'LIVE'] }, { $gt: ['$expiresAt', null] }, { $lte: ['$expiresAt', now] }],
  };
  const groups = await ReferralCodes.collection
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
  const states = new Map(batches.map((id) => [String(id), { ...NONE }]));
  for (const { _id, codes } of groups) {
    const one = states.get(String(_id.batch));
    if (one) one[_id.state] = codes;
  }
  return states;
}

export const batchRoutes = routeGroup({ tag: 'Referral codes' }, [
  route({
    method: 'get',
    path: '/api/referral-codes/batches',
    memory: PAGE_MEMORY,
    summary: 'List printed batches with the state of their codes',
    query: BatchQuery,
    reply: { 200: BatchList },
    handle: async ({ actor, query, now }) => {
      // A batch may be read by those who may read its codes.
      const found = await page(CodeBatches, visible(actor, ['read'], CodeBatches, {}, 'ReferralCode'), query);
      const states = await countStates(
        found.data.map((one) => one._id),
        now,
      );
      return { ...found, data: found.data.map((one) => ({ ...one, states: states.get(String(one._id)) })) };
    },
  }),
  route({
    method: 'post',
    path: '/api/referral-codes/batches/:id/void',
    summary: 'Void the unused codes of a batch',
    description:
      'Coupons that interviews have handed out stay valid. Calling it again gets 200 and voids nothing.',
    body: BatchVoid,
    example: { reason: 'The box was lost.' },
    reply: { 200: BatchVoided },
    handle: async ({ actor, id, body }) => {
      const batch = await findBatch(id);
      requireMayOnAll(actor, 'update', batch);
      const voided = await voidRemaining(batch._id, { ...authorOf(actor), reason: body.reason });
      return { id: batch._id, voided };
    },
  }),
]);
