/** The threads that calculate estimates and intervals of groups while somebody waits for them. */
import { WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import type { GroupIntervals, GroupJob } from '../estimators/group-intervals.ts';
import type { EstimateJob, OutcomeEstimate } from './estimate.ts';

/** Some twenty times what the largest sensible study takes. */
const LIMIT_MS = 30_000;
const MAX_THREADS = 2;

const queue = new WorkQueue({
  capacity: MAX_THREADS,
  each: MAX_THREADS,
  mostWaiting: 50,
  mostWaitingEach: 40,
  patienceMs: 30_000,
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
 * On a thread of its own: the estimates of a hundred thousand interviews would keep the table's process busy for too long.
 * UNAVAILABLE if the work takes too long. `by`: the id of the user who wants it.
 */
export async function inEstimateThread<Job extends ThreadJob>(job: Job, by?: string): Promise<ResultOf<Job>> {
  return await queue.inTurn(by, undefined, async () => {
    try {
      return (await pool.run(job, { signal: AbortSignal.timeout(LIMIT_MS) })) as ResultOf<Job>;
    } catch (error) {
      throw problem('UNAVAILABLE', { cause: error });
    }
  });
}
