/** A least-recently-used cache, limited by the number of entries or by the total of their sizes. */
export class LruCache<V> {
  readonly #most: number;
  readonly #entries = new Map<string, { value: V; size: number }>();
  #total = 0;

  constructor(max: number) {
    this.#most = max;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.set(key, entry.value, entry.size);
    return entry.value;
  }

  delete(key: string): void {
    this.#total -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  /** Deletes the entry only if it still has this value. */
  deleteValue(key: string, value: V): void {
    if (this.#entries.get(key)?.value === value) this.delete(key);
  }

  set(key: string, value: V, size = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, size });
    this.#total += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#most) return;
      this.delete(oldest);
    }
  }
}

/**
 * Runs work once per key; callers share the result, even while it is in progress. Failed work isn't cached, so the next
 * call starts it again.
 */
export async function computeOnce<V>(
  works: LruCache<Promise<V>>,
  key: string,
  begin: () => Promise<V>,
  size?: number,
): Promise<V> {
  const work = works.get(key) ?? begin();
  works.set(key, work, size);
  work.catch(() => works.deleteValue(key, work));
  return await work;
}
