/**
 * Printing on threads of its own: drawing a sheet takes a second at times, in which the service would answer nobody.
 * A few threads at once, each with bounded memory, kept for a while with their typefaces open; whoever comes later
 * waits, and nobody for a second print of the same person. Who hangs up, or takes nothing for a while, ends the drawing.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Worker } from 'node:worker_threads';
import { fault } from '../http/faults.ts';
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
/** Of one person, beside the one that is being printed. */
const MOST_WAITING_EACH = 2;
/** So much goes to the reader at a time. */
const PIECE_BYTES = 64 * 1024;
const IDLE_MS = 60_000;
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

const idle = new Map<Worker, NodeJS.Timeout>();

/** Who asked, by id; an operator's command is nobody's. */
export type Asker = string | undefined;
const waiting: { by: Asker; go(): void }[] = [];
/** Who has the places. */
const running: Asker[] = [];

/** How long a reader may take for a piece, and for all of them; a file on a disk takes no time. */
const PATIENCE = { pieceMs: 30_000, allMs: 5 * 60_000 };

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
  let begun = false;
  const gone = new AbortController();
  // A stream that breaks ends the drawing at once; waiting for it below tells its error.
  const end = finished(out).catch((error: Error) => {
    gone.abort(error);
    throw error;
  });
  end.catch(() => {});
  const give = handing(out, gone.signal, patience);
  const take = async (message: FromThread) => {
    if (message.kind === 'progress') onProgress?.(message.done);
    if (message.kind !== 'piece') return;
    begun = true;
    await give(message.bytes);
  };
  try {
    await run({ kind: 'job', what: 'print', sheet }, by, take, gone.signal);
  } catch (error) {
    // Half a file is no file; where nothing was written yet, the stream is whole, and the refusal can be told on it.
    if (begun) out.destroy(error as Error);
    throw error;
  }
  out.end();
  await end;
}

/** Whoever leaves a file unread would otherwise keep a place of the press for as long as the connection stays open. */
function handing(out: Writable, gone: AbortSignal, { pieceMs, allMs }: typeof PATIENCE) {
  let left = allMs;
  return async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      if (out.write(bytes.subarray(at, at + PIECE_BYTES))) continue;
      const since = performance.now();
      const late = AbortSignal.timeout(Math.max(0, Math.min(pieceMs, Math.round(left))));
      await once(out, 'drain', { signal: AbortSignal.any([gone, late]) }).catch((error: unknown) => {
        throw late.aborted ? new Error('the file was not read in time') : error;
      });
      left -= performance.now() - since;
    }
  };
}

type Take = (message: FromThread) => Promise<void>;

async function run(job: Job, by: Asker, take: Take, signal?: AbortSignal): Promise<Examination | null> {
  await turn(by, signal);
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
      else await ended(thread);
      throw error;
    }
  } finally {
    running.splice(running.indexOf(by), 1);
    callNext();
  }
}

/** One person never has both places. */
const mayGo = (by: Asker) => running.length < AT_ONCE && (by === undefined || !running.includes(by));

function callNext(): void {
  const at = waiting.findIndex(({ by }) => mayGo(by));
  const [next] = at < 0 ? [] : waiting.splice(at, 1);
  if (!next) return;
  running.push(next.by);
  next.go();
}

async function turn(by: Asker, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (mayGo(by)) {
    running.push(by);
    return;
  }
  const own = waiting.filter((one) => one.by === by).length;
  if (by !== undefined && own >= MOST_WAITING_EACH) throw tooManyOfOne();
  if (waiting.length >= MOST_WAITING) throw problem('UNAVAILABLE');
  await new Promise<void>((done, failed) => {
    const leave = () => {
      const at = waiting.indexOf(mine);
      if (at >= 0) waiting.splice(at, 1);
      failed(signal?.reason as Error);
    };
    const go = () => {
      signal?.removeEventListener('abort', leave);
      done();
    };
    const mine = { by, go };
    waiting.push(mine);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

const tooManyOfOne = () =>
  problem('RATE_LIMITED', {
    why: fault('PRINTING_ALREADY'),
    headers: { 'Retry-After': '10' },
  });

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
