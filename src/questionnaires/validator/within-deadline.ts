/** For work that may take longer than its request: the client gets 503, and finds the work done when it retries. */
import { createHash } from 'node:crypto';
import { problem } from '../../platform/http/problems/problem.ts';
import { computeOnce, LruCache } from '../../platform/lib/lru-cache.ts';

/** Time kept for the transaction that follows. */
const RESERVED_FOR_STORING_MS = 3_000;

/** 503 if it takes longer than the request has time; `deadline` as in `Actor`. */
export async function withinDeadline<T>(work: Promise<T>, deadline: number | undefined): Promise<T> {
  if (deadline === undefined) return await work;
  const remainingMs = deadline - performance.now() - RESERVED_FOR_STORING_MS;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(problem('UNAVAILABLE')), Math.max(0, remainingMs));
  });
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Kept besides what was asked: the hash and the result's own objects. */
const ENTRY_BYTES = 1_000;

/**
 * Work in progress, and the latest results; failed work is started again. Bounded by the bytes of what was asked: with
 * few results kept, many interviews at once would push out each other's, and none would ever find its own.
 */
export class PendingCache<T> {
  readonly #works: LruCache<Promise<T>>;

  constructor(mostBytes: number) {
    this.#works = new LruCache(mostBytes);
  }

  async once(of: readonly string[], begin: () => Promise<T>): Promise<T> {
    const hash = createHash('sha256');
    for (const part of of) hash.update(`${part.length} `).update(part);
    const bytes = of.reduce((sum, part) => sum + Buffer.byteLength(part), ENTRY_BYTES);
    return await computeOnce(this.#works, hash.digest('base64'), begin, bytes);
  }
}
