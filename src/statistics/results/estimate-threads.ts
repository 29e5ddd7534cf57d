/** The threads that calculate estimates, and intervals of groups, while a user waits. */
import { WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import type { GroupIntervals, GroupJob } from '../estimators/group-intervals.ts';
import type { EstimateJob, OutcomeEstimate } from './estimate.ts';

/** About twenty times what the largest plausible study needs. */
const LIMIT_MS = 30_000;
const MAX_THREADS = 2;

const queue = new WorkQueue({
  capacity: MAX_THREADS,
  each: MAX_THREADS,
  maxWaiting: 50,
  maxWaitingEach: 40,
  maxWaitMs: 30_000,
  overloadProblem: 'SENDING_TOO_MUCH',
});

export type ThreadJob = ({ kind: 'estimate' } & EstimateJob) | ({ kind: 'groups' } & GroupJob);
type ResultOf<Job extends ThreadJob> = Job extends { kind: 'estimate' }
  ? OutcomeEstimate
  : GroupIntervals | null;

const pool = new WorkerPool<ThreadJob, unknown>({
  kind: 'thread',
  from: import.meta.url,
  name: 'estimate-worker',
  size: MAX_THREADS,
  memoryMb: 512,
  youngMb: 8,
});

/**
 * Runs on a separate thread: estimates for a hundred thousand interviews would block the table's process for too long.
 * Throws UNAVAILABLE if it takes too long. `by`: id of the user who requested it.
 */
export async function runInEstimateThread<Job extends ThreadJob>(
  job: Job,
  by?: string,
): Promise<ResultOf<Job>> {
  return await queue.inTurn(by, undefined, async () => {
    try {
      return (await pool.run(job, { signal: AbortSignal.timeout(LIMIT_MS) })) as ResultOf<Job>;
    } catch (error) {
      throw problem('UNAVAILABLE', { cause: error });
    }
  });
}
