/**
 * Estimates and comparisons on threads of their own: those of a hundred thousand interviews take longer than any other
 * request may wait. How many there are at once is told by sample/queue.ts.
 */
import type { Worker } from 'node:worker_threads';
import { problem } from '../http/problem.ts';
import { startWorker } from '../lib/worker.ts';
import type { ComparedTables, CompareJob } from './compare-tables.ts';
import type { Estimated, EstimateJob } from './estimate.ts';

export type Job = EstimateJob | CompareJob;
type Done<J extends Job> = J extends CompareJob ? ComparedTables : Estimated;

const IDLE_MS = 60_000;
/** Some twenty times what the largest sensible study takes. */
const LIMIT_MS = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

const idle = new Map<Worker, { timer: NodeJS.Timeout; end: () => void }>();

/** UNAVAILABLE where the work takes too long. */
export async function inThread<J extends Job>(job: J): Promise<Done<J>> {
  return await work(
    idleThread() ?? startWorker(import.meta.url, 'estimate-worker', { execArgv: [], resourceLimits: MEMORY }),
    job,
  );
}

async function work<J extends Job>(thread: Worker, job: J): Promise<Done<J>> {
  try {
    const value = await answerOf(thread, job);
    rest(thread);
    return value;
  } catch (error) {
    // An error that nobody hears ends the process.
    thread.on('error', () => {});
    await thread.terminate();
    throw problem('UNAVAILABLE', { cause: error });
  }
}

function answerOf<J extends Job>(thread: Worker, job: J): Promise<Done<J>> {
  return new Promise((done, failed) => {
    // Others listen to the thread too: only what was added here is taken away.
    const leave = () => {
      clearTimeout(timer);
      thread.off('message', hear).off('error', failing).off('exit', stopped);
    };
    const hear = (value: Done<J>) => {
      leave();
      done(value);
    };
    const failing = (error: Error) => {
      leave();
      failed(error);
    };
    const stopped = () => failing(new Error('the thread of an estimate stopped'));
    const timer = setTimeout(() => failing(new Error('an estimate takes too long')), LIMIT_MS);
    thread.on('message', hear).on('error', failing).on('exit', stopped);
    thread.postMessage(job);
  });
}

/** Kept for the next one, without keeping the process alive. */
function rest(thread: Worker): void {
  const end = () => {
    clearTimeout(idle.get(thread)?.timer);
    idle.delete(thread);
    void thread.terminate();
  };
  thread.on('error', end);
  thread.unref();
  idle.set(thread, { timer: setTimeout(end, IDLE_MS).unref(), end });
}

function idleThread(): Worker | undefined {
  const [thread, resting] = idle.entries().next().value ?? [];
  if (!thread || !resting) return undefined;
  clearTimeout(resting.timer);
  idle.delete(thread);
  thread.off('error', resting.end);
  thread.ref();
  return thread;
}
