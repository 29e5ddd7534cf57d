/** Work that may last longer than its request: who has waited long is told to come again, and then finds it done. */
import { createHash } from 'node:crypto';
import { problem } from '../http/problem.ts';
import { Recent } from '../lib/recent.ts';

/** Shorter than a phone's patience, and than that of http/deadline.ts, behind which work would go on to be stored. */
const PATIENCE_MS = 12_000;

/** 503 for who waits longer. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(problem('UNAVAILABLE')), PATIENCE_MS);
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
