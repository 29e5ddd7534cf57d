/** Deletes old runs, every minute. */
import { DAY_MS } from '../../platform/lib/day.ts';
import { AnalysisRunModel } from './model.ts';

/** How long finished runs are kept. A run that a count uses is kept as long as the count. */
export const FINISHED_RUN_DAYS = 90;
/** If there are more than this, the oldest are deleted early. */
export const MAX_FINISHED_RUNS = 500;

/** Runs without a result are counted separately, so that canceling many runs does not push out the others. */
const FINISHED = [['DONE'], ['FAILED', 'CANCELLED']] as const;

export async function deleteOldRuns(now: Date): Promise<void> {
  const tooOld = new Date(now.getTime() - FINISHED_RUN_DAYS * DAY_MS);
  for (const states of FINISHED) {
    const finished = { state: { $in: [...states] }, isKept: false };
    const [newest] = await AnalysisRunModel.find(finished, { createdAt: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .skip(MAX_FINISHED_RUNS)
      .limit(1)
      .lean();
    const upTo = newest && newest.createdAt > tooOld ? newest.createdAt : tooOld;
    await AnalysisRunModel.deleteMany({ ...finished, createdAt: { $lte: upTo } });
  }
}
