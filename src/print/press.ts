/**
 * Printing on threads of its own: drawing a sheet takes a second at times, in which the service would answer nobody.
 * A few threads at once, each with bounded memory, kept for a while with their typefaces open; whoever comes later
 * waits, and nobody for a second print of the same person. Who hangs up, or takes nothing for a while, ends the drawing.
 */
import type { Writable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { PATIENCE, toReader } from '../http/reader.ts';
import { type Asker, WorkQueue } from '../http/work-queue.ts';
import { startWorker } from '../lib/worker.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import type { Examination } from './examine.ts';

type Plain = Omit<CouponSheet, 'onProgress'>;
export type Job = { kind: 'job'; what: 'examine' | 'print'; sheet: Plain };
export type ToThread = Job | { kind: 'more' };
export type FromThread =
  | { kind: 'piece'; bytes: Uint8Array }
  | { kind: 'progress'; done: number }
  | { kind: 'done'; value: Examination | null }
  | { kind: 'fault'; message: string };

const places = new WorkQueue({
  capacity: 2,
  each: 1,
  mostWaiting: 50,
  mostWaitingEach: 2,
  enough: 'PRINTING_ALREADY',
});
const IDLE_MS = 60_000;
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

const idle = new Map<Worker, NodeJS.Timeout>();

/** What stands in the way of printing this sheet, and what would be left out. */
export async function examine(sheet: Plain, by?: Asker): Promise<Examination> {
  const found = await run({ kind: 'job', what: 'examine', sheet }, by, async () => {});
  if (!found) throw new Error('the press said nothing');
  return found;
}

/** Writes the PDF and ends the stream; rejects when the stream fails or the sheet can't be printed as it is. */
export async function print(
  out: Writable,
  { onProgress, ...sheet }: CouponSheet,
  by?: Asker,
  patience = PATIENCE,
): Promise<void> {
  await toReader(
    out,
    async (give, gone) => {
      const take = async (message: FromThread) => {
        if (message.kind === 'progress') onProgress?.(message.done);
        if (message.kind === 'piece') await give(message.bytes);
      };
      await run({ kind: 'job', what: 'print', sheet }, by, take, gone);
    },
    patience,
  );
}

type Take = (message: FromThread) => Promise<void>;

async function run(job: Job, by: Asker, take: Take, signal?: AbortSignal): Promise<Examination | null> {
  return await places.inTurn(by, signal, async () => {
    const thread =
      idleThread() ?? startWorker(import.meta.url, 'press-worker', { execArgv: [], resourceLimits: MEMORY });
    try {
      const value = await work(thread, job, take, signal);
      rest(thread);
      return value;
    } catch (error) {
      // Half-way through a sheet: another job would get what is left of this one. After a plain refusal it is whole.
      if (error instanceof Refusal) rest(thread);
      else await ended(thread);
      throw error;
    }
  });
}

/** The sheet itself can't be printed; the thread is as good as before. */
class Refusal extends RangeError {}

function work(thread: Worker, job: Job, take: Take, signal?: AbortSignal): Promise<Examination | null> {
  return new Promise((done, failed) => {
    // Others listen to the thread too: whoever ends it waits for its exit, so only what was added here is taken away.
    const leave = () => {
      thread.off('error', failing).off('exit', stopped).off('message', hear);
      signal?.removeEventListener('abort', hungUp);
    };
    const failing = (error: Error) => {
      leave();
      failed(error);
    };
    const stopped = () => failing(new Error('the press stopped'));
    const hungUp = () => failing(signal?.reason as Error);
    const hear = (message: FromThread) => {
      if (message.kind === 'fault') return failing(new Refusal(message.message));
      if (message.kind === 'done') {
        leave();
        return done(message.value);
      }
      take(message).then(
        () => message.kind === 'piece' && thread.postMessage({ kind: 'more' } satisfies ToThread),
        failing,
      );
    };
    signal?.addEventListener('abort', hungUp);
    thread.on('error', failing).on('exit', stopped).on('message', hear);
    thread.postMessage(job);
  });
}

async function ended(thread: Worker): Promise<void> {
  // An error that nobody hears ends the process.
  thread.on('error', () => {});
  await thread.terminate();
}

/** Kept for the next sheet, without keeping the process alive. */
function rest(thread: Worker): void {
  const end = () => {
    idle.delete(thread);
    void thread.terminate();
  };
  thread.on('error', end);
  thread.unref();
  idle.set(thread, setTimeout(end, IDLE_MS).unref());
}

function idleThread(): Worker | undefined {
  const [thread, timer] = idle.entries().next().value ?? [];
  if (!thread) return undefined;
  clearTimeout(timer);
  idle.delete(thread);
  thread.removeAllListeners('error');
  thread.ref();
  return thread;
}
