/** Work that may last longer than its request: who has waited long is told to come again, and then finds it done. */
import { createHash } from 'node:crypto';
import { problem } from '../http/problem.ts';
import { Recent } from '../lib/recent.ts';
import { timeLeft } from '../lib/time-left.ts';

/** For what follows: most of it is a transaction. */
const STORING_MS = 3_000;

/** 503 where it would take longer than the request has time. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const left = timeLeft() - STORING_MS;
  if (left === Number.POSITIVE_INFINITY) return await work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(problem('UNAVAILABLE')), Math.max(0, left));
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What is under way, and the last that was done; what failed is begun again. */
export class Begun<T> {
  readonly #works: Recent<Promise<T>>;

  constructor(most: number) {
    this.#works = new Recent(most);
  }

  async once(of: readonly string[], begin: () => Promise<T>): Promise<T> {
    const hash = createHash('sha256');
    for (const part of of) hash.update(`${part.length} `).update(part);
    const key = hash.digest('base64');
    const work = this.#works.get(key) ?? begin();
    this.#works.set(key, work);
    work.catch(() => this.#works.delete(key));
    return await work;
  }
}
