/**
 * Estimates on threads of their own: those of a hundred thousand interviews take longer than the table's thread may be
 * busy, which every other figure waits for.
 */
import { problem } from '../http/problem.ts';
import { WorkQueue } from '../http/work-queue.ts';
import { WorkerPool } from '../lib/worker-pool.ts';
import type { Estimated, EstimateJob } from './estimate.ts';

/** Some twenty times what the largest sensible study takes. */
const LIMIT_MS = 30_000;
const MOST_THREADS = 2;

const queue = new WorkQueue({
  capacity: MOST_THREADS,
  each: MOST_THREADS,
  mostWaiting: 50,
  mostWaitingEach: 40,
  patienceMs: 30_000,
  enough: 'SENDING_TOO_MUCH',
});

const pool = new WorkerPool<EstimateJob, Estimated>({
  kind: 'thread',
  from: import.meta.url,
  name: 'estimate-worker',
  size: MOST_THREADS,
  memoryMb: 512,
  youngMb: 8,
});

/** UNAVAILABLE if the work takes too long. `by`: the id of the user who wants it. */
export async function estimateInThread(job: EstimateJob, by?: string): Promise<Estimated> {
  return await queue.inTurn(by, undefined, async () => {
    try {
      return await pool.run(job, { signal: AbortSignal.timeout(LIMIT_MS) });
    } catch (error) {
      throw problem('UNAVAILABLE', { cause: error });
    }
  });
}
