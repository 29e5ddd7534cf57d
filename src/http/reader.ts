/**
 * Whoever reads a file while it is made: pieces are handed over as fast as they are taken, and not to one who takes
 * nothing for a while. A file left unread would otherwise keep its place for as long as the connection stays open.
 */
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** So much goes to the reader at a time. */
const PIECE_BYTES = 64 * 1024;

/** How long a reader may take for a piece, and for all of them; a file on a disk takes no time. */
export const PATIENCE = { pieceMs: 30_000, allMs: 5 * 60_000 };

export type Give = (bytes: Uint8Array) => Promise<void>;

/** Gives what `make` makes to `out` and ends it. `gone` tells that nobody reads any more. */
export async function toReader(
  out: Writable,
  make: (give: Give, gone: AbortSignal) => Promise<void>,
  patience = PATIENCE,
): Promise<void> {
  let begun = false;
  const gone = new AbortController();
  // A stream that breaks ends the work at once; waiting for it below tells its error.
  const end = finished(out).catch((error: Error) => {
    gone.abort(error);
    throw error;
  });
  end.catch(() => {});
  const give = handing(out, gone.signal, patience);
  const begin: Give = async (bytes) => {
    begun = true;
    await give(bytes);
  };
  try {
    await make(begin, gone.signal);
  } catch (error) {
    // Half a file is no file; where nothing was written yet, the stream is whole, and the refusal can be told on it.
    if (begun) out.destroy(error as Error);
    throw error;
  }
  out.end();
  await end;
}

function handing(out: Writable, gone: AbortSignal, { pieceMs, allMs }: typeof PATIENCE): Give {
  let left = allMs;
  let drained = () => {};
  // One for all pieces: the middleware that compresses answers does not give a listener back.
  out.on('drain', () => drained());
  const taken = async () => {
    const late = AbortSignal.timeout(Math.max(0, Math.min(pieceMs, Math.round(left))));
    const either = AbortSignal.any([gone, late]);
    await new Promise<void>((done, failed) => {
      drained = done;
      either.addEventListener('abort', () => failed(either.reason as Error), { once: true });
    }).catch((error: unknown) => {
      throw late.aborted ? new Error('the file was not read in time') : error;
    });
  };
  return async (bytes) => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      gone.throwIfAborted();
      if (out.write(bytes.subarray(at, at + PIECE_BYTES))) continue;
      const since = performance.now();
      await taken();
      left -= performance.now() - since;
    }
  };
}
