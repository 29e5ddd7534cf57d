/**
 * Sends a file while it is created, as fast as the client reads it. A client that reads nothing for a while is cut off,
 * because it would otherwise keep its place in the queue as long as the connection is open.
 */
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

const CHUNK_BYTES = 64 * 1024;

/** Time limits for reading one chunk, and the whole file. */
export const DOWNLOAD_TIMEOUTS = { pieceMs: 30_000, allMs: 5 * 60_000 };

export type WriteChunk = (bytes: Uint8Array) => Promise<void>;

/** Writes to `out` what `make` creates, and ends it. The signal aborts if the client is gone. */
export async function streamTo(
  out: Writable,
  produce: (give: WriteChunk, signal: AbortSignal) => Promise<void>,
  patience = DOWNLOAD_TIMEOUTS,
): Promise<void> {
  let hasBegun = false;
  const controller = new AbortController();
  // A broken stream stops the work at once; `await end` below throws its error.
  const end = finished(out).catch((error: Error) => {
    controller.abort(error);
    throw error;
  });
  end.catch(() => {});
  const give = chunkWriter(out, controller.signal, patience);
  const begin: WriteChunk = async (bytes) => {
    hasBegun = true;
    await give(bytes);
  };
  try {
    await produce(begin, controller.signal);
  } catch (error) {
    // Cut off an incomplete file. If nothing was written yet, the caller can still send an error.
    if (hasBegun) out.destroy(error as Error);
    throw error;
  }
  out.end();
  await end;
}

function chunkWriter(
  out: Writable,
  signal: AbortSignal,
  { pieceMs, allMs }: typeof DOWNLOAD_TIMEOUTS,
): WriteChunk {
  let remainingMs = allMs;
  let drained = () => {};
  // One listener for all chunks, because the compression middleware doesn't remove listeners.
  out.on('drain', () => drained());
  const waitForDrain = async () => {
    const timeoutSignal = AbortSignal.timeout(Math.max(0, Math.min(pieceMs, Math.round(remainingMs))));
    const either = AbortSignal.any([signal, timeoutSignal]);
    await new Promise<void>((resolve, reject) => {
      drained = resolve;
      either.addEventListener('abort', () => reject(either.reason as Error), { once: true });
    }).catch((error: unknown) => {
      throw timeoutSignal.aborted ? new Error('the file was not read in time') : error;
    });
  };
  return async (bytes) => {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      signal.throwIfAborted();
      if (out.write(bytes.subarray(at, at + CHUNK_BYTES))) continue;
      const since = performance.now();
      await waitForDrain();
      remainingMs -= performance.now() - since;
    }
  };
}
