/**
 * Printing on threads of its own: drawing a sheet takes a second at times, in which the service would answer nobody.
 * A few threads at once, each with bounded memory, kept for a while with their typefaces open; whoever comes later
 * waits. Who hangs up ends the drawing.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Worker } from 'node:worker_threads';
import { problem } from '../http/problem.ts';
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

const AT_ONCE = 2;
const MOST_WAITING = 50;
const IDLE_MS = 60_000;
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

const idle = new Map<Worker, NodeJS.Timeout>();
const waiting: (() => void)[] = [];
let running = 0;

/** What stands in the way of printing this sheet, and what would be left out. */
export async function examine(sheet: Plain): Promise<Examination> {
  const found = await run({ kind: 'job', what: 'examine', sheet }, async () => {});
  if (!found) throw new Error('the press said nothing');
  return found;
}

/** Writes the PDF and ends the stream; rejects when the stream fails or the sheet can't be printed as it is. */
export async function print(out: Writable, { onProgress, ...sheet }: CouponSheet): Promise<void> {
  let begun = false;
  const gone = new AbortController();
  // A stream that breaks ends the drawing at once; waiting for it below tells its error.
  const end = finished(out).catch((error: Error) => {
    gone.abort(error);
    throw error;
  });
  end.catch(() => {});
  const take = async (message: FromThread) => {
    if (message.kind === 'progress') onProgress?.(message.done);
    if (message.kind !== 'piece') return;
    begun = true;
    if (!out.write(message.bytes)) await once(out, 'drain', { signal: gone.signal });
  };
  try {
    await run({ kind: 'job', what: 'print', sheet }, take, gone.signal);
  } catch (error) {
    // Half a file is no file; where nothing was written yet, the stream is whole, and the refusal can be told on it.
    if (begun) out.destroy(error as Error);
    throw error;
  }
  out.end();
  await end;
}

type Take = (message: FromThread) => Promise<void>;

async function run(job: Job, take: Take, signal?: AbortSignal): Promise<Examination | null> {
  await turn(signal);
  try {
    signal?.throwIfAborted();
    const thread =
      idleThread() ?? startWorker(import.meta.url, 'press-worker', { execArgv: [], resourceLimits: MEMORY });
    try {
      const value = await work(thread, job, take, signal);
      rest(thread);
      return value;
    } catch (error) {
      // Half-way through a sheet: another job would get what is left of this one. After a plain refusal it is whole.
      if (error instanceof Refusal) rest(thread);
      else await thread.terminate();
      throw error;
    }
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Whoever ends hands its place on. */
async function turn(signal?: AbortSignal): Promise<void> {
  if (running < AT_ONCE) running += 1;
  else if (waiting.length >= MOST_WAITING) throw problem('UNAVAILABLE');
  else
    await new Promise<void>((go, end) => {
      waiting.push(go);
      const leave = () => {
        const at = waiting.indexOf(go);
        if (at >= 0) waiting.splice(at, 1);
        end(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
    });
}

/** The sheet itself can't be printed; the thread is as good as before. */
class Refusal extends RangeError {}

function work(thread: Worker, job: Job, take: Take, signal?: AbortSignal): Promise<Examination | null> {
  return new Promise((done, failed) => {
    const leave = (end: () => void) => {
      for (const name of ['error', 'exit', 'message']) thread.removeAllListeners(name);
      signal?.removeEventListener('abort', hungUp);
      end();
    };
    const hungUp = () => leave(() => failed(signal?.reason as Error));
    signal?.addEventListener('abort', hungUp);
    thread.on('error', (error) => leave(() => failed(error)));
    thread.on('exit', () => leave(() => failed(new Error('the press stopped'))));
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'done') return leave(() => done(message.value));
      if (message.kind === 'fault') return leave(() => failed(new Refusal(message.message)));
      take(message).then(
        () => message.kind === 'piece' && thread.postMessage({ kind: 'more' } satisfies ToThread),
        (error: Error) => leave(() => failed(error)),
      );
    });
    thread.postMessage(job);
  });
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
