/**
 * Preloaded into the service (`node --expose-gc --import`): between `begin` and `end` of its parent it notes how long one
 * turn of the event loop took and how far memory grew. No route of the service knows of it.
 */
import { openSync, readSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

let watching = false;
let most;
let turn;
let floor = Number.NEGATIVE_INFINITY;

/** Sweeping takes longer than most requests: what garbage is left where less than this has come since counts as needed. */
const LITTLE = 24 * 2 ** 20;

/** Not from `process.memoryUsage()`, which asks the system for the resident memory too, in each turn. */
const used = () => {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
};

/** Garbage is not needed: where memory seems to grow beyond 40 MB, it is swept before it is read again. */
function needed() {
  const grown = () => (used() - floor) / 1024 / 1024;
  if (grown() <= Math.max(40, most.mb)) return grown();
  globalThis.gc();
  return Math.max(40, grown());
}

/**
 * Milliseconds for which the main thread worked, and for which it could have worked and others had the processor. Where
 * Linux doesn't tell them: the time of all threads.
 */
const scheduled = (() => {
  const all = () => {
    const { user, system } = process.cpuUsage();
    return [(user + system) / 1000, 0];
  };
  try {
    const file = openSync('/proc/self/schedstat');
    const text = Buffer.alloc(80);
    const read = () =>
      text
        .latin1Slice(0, readSync(file, text, 0, 80, 0))
        .split(' ', 2)
        .map((nanoseconds) => nanoseconds / 1e6);
    // A kernel without these statistics says 0.
    return read()[0] > 0 ? read : all;
  } catch {
    return all;
  }
})();

function now() {
  const [cpu, waited] = scheduled();
  return { wall: performance.now() - waited, cpu };
}

/** Parsed, this is nearly all that the most costly requests need. */
const REFERENCE = JSON.stringify(
  Object.fromEntries(Array.from({ length: 49_000 }, (_, at) => [`field${at}`, 0])),
);

/** The processor time of work that is always the same: more where others use the processor's caches and its cores' other halves. */
function reference() {
  const least = Math.min(
    ...Array.from({ length: 3 }, () => {
      const begin = now().cpu;
      JSON.parse(REFERENCE);
      return now().cpu - begin;
    }),
  );
  globalThis.gc();
  return least;
}

/** What ended by now: by the clock without that waiting, or by the thread's own time where it is less. */
function look() {
  if (!watching) return;
  const at = now();
  most.ms = Math.max(most.ms, Math.min(at.wall - turn.wall, at.cpu - turn.cpu));
  most.mb = Math.max(most.mb, needed());
  turn = now();
  // Unreferenced, so that the loop waits where it has nothing to do: one that spins takes a processor from those whose
  // work it waits for.
  setImmediate(look).unref();
}

if (isMainThread && process.send) {
  // Whoever asked is gone: nobody would end the measuring.
  process.on('disconnect', () => process.exit());
  process.on('message', (word) => {
    if (word === 'reference') process.send(reference());
    else if (word === 'begin') {
      if (used() - floor > LITTLE) {
        globalThis.gc();
        globalThis.gc();
        floor = used();
      }
      [most, watching] = [{ ms: 0, mb: 0 }, true];
      setImmediate(() => {
        turn = now();
        look();
        process.send('begun');
      });
    } else {
      look();
      watching = false;
      process.send(most);
    }
  });
}
