/** For work that may take longer than its request: the client gets a 503, and the result is ready when it retries. */
import { createHash } from 'node:crypto';
import { problem } from '../../platform/http/problems/problem.ts';
import { computeOnce, LruCache } from '../../platform/lib/lru-cache.ts';

/** Time reserved for the transaction that follows. */
const RESERVED_FOR_STORING_MS = 3_000;

/** 503 if the work exceeds the time limit of the request; `deadline` as in `Actor`. */
export async function withinDeadline<T>(work: Promise<T>, deadline: number | undefined): Promise<T> {
  if (deadline === undefined) return await work;
  const remainingMs = deadline - performance.now() - RESERVED_FOR_STORING_MS;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(problem('UNAVAILABLE')), Math.max(0, remainingMs));
  });
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Size of an entry without its input: the hash, and the objects of the result. */
const ENTRY_BYTES = 1_000;

/**
 * Work in progress and recent results; failed work is started again. Limited by the size of the input and not by the
 * number of entries: otherwise many concurrent interviews would evict each other's results, and no retry would find its
 * own.
 */
export class PendingCache<T> {
  readonly #works: LruCache<Promise<T>>;

  constructor(maxBytes: number) {
    this.#works = new LruCache(maxBytes);
  }

  async once(of: readonly string[], begin: () => Promise<T>): Promise<T> {
    const hash = createHash('sha256');
    for (const part of of) hash.update(`${part.length} `).update(part);
    const bytes = of.reduce((sum, part) => sum + Buffer.byteLength(part), ENTRY_BYTES);
    return await computeOnce(this.#works, hash.digest('base64'), begin, bytes);
  }
}
