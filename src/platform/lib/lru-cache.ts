/** A least-recently-used cache of at most `most` entries, or of entries whose sizes come to at most that. */
export class LruCache<V> {
  readonly #most: number;
  readonly #entries = new Map<string, { value: V; size: number }>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
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

  /** Not what has taken its place. */
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

/** The work of this key, whether it is done or goes on. Work that fails is forgotten: it begins anew when it is asked for. */
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
