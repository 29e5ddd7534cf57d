/** Routes of printed batches: the state of their codes, and voiding unused ones. */
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { defineRoute, routeGroup } from '../../platform/http/route.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { requireRight, visibleFilter } from '../../platform/rights/guard.ts';
import { countCodeStatesByBatch, findBatch, voidRemainingBatchCodes } from './batches.ts';
import { CodeBatchModel, type CodeBatchRecord } from './model.ts';
import { BatchVoid, BatchVoided, CodeBatchList, CodeBatchQuery } from './schema.ts';

/** A batch has the permissions of its codes. */
function requireMayOnAll(actor: Actor, action: 'read' | 'update', batch: CodeBatchRecord): void {
  const { _id, location, createdBy, createdAt } = batch;
  const code = { state: 'RESERVED', batch: _id, location, createdBy, createdAt };
  requireRight(actor, action, 'ReferralCode', code);
}

export const codeBatchRoutes = routeGroup({ tag: 'Referral codes' }, [
  defineRoute({
    method: 'get',
    path: '/api/referral-codes/batches',
    memory: 'page',
    summary: 'List printed batches with the state of their codes',
    query: CodeBatchQuery,
    reply: { 200: CodeBatchList },
    handle: async ({ actor, query, now }) => {
      // Callers who may read its codes may read a batch.
      const batches = await loadRecordPage(
        CodeBatchModel,
        visibleFilter(actor, ['read'], CodeBatchModel, {}, 'ReferralCode'),
        query,
      );
      const states = await countCodeStatesByBatch(
        batches.data.map((one) => one._id),
        now,
      );
      return {
        ...batches,
        data: batches.data.map((one) => ({ ...one, states: states.get(String(one._id)) })),
      };
    },
  }),
  defineRoute({
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
      const voided = await voidRemainingBatchCodes(batch._id, {
        ...authorFromActor(actor),
        reason: body.reason,
      });
      return { id: batch._id, voided };
    },
  }),
]);
