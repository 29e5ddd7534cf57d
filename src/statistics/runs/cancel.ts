import type { Types } from 'mongoose';
import { problem } from '../../platform/http/problems/problem.ts';
import { AnalysisRunModel, type AnalysisRunRecord } from './model.ts';

export const unfinishedRunFilter = (_id: Types.ObjectId) => ({
  _id,
  state: { $in: ['WAITING', 'RUNNING'] satisfies AnalysisRunRecord['state'][] },
});

export const cancelRunUpdate = (now: Date) => ({
  $set: { state: 'CANCELLED' as const, finishedAt: now, holder: null, heldUntil: null },
});

/**
 * The process that works on it notices within a second, and its result is never stored. Canceling again is harmless.
 */
export async function cancelRun({ _id }: Pick<AnalysisRunRecord, '_id'>, now: Date): Promise<void> {
  if (
    (await AnalysisRunModel.collection.updateOne(unfinishedRunFilter(_id), cancelRunUpdate(now)))
      .matchedCount === 1
  )
    return;
  const run = await AnalysisRunModel.findById(_id, { state: 1 }).lean();
  if (run && run.state !== 'CANCELLED') throw problem('INVALID_TRANSITION');
}
