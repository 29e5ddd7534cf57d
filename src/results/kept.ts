/** Ten open pages cost one: an answer to the same question is kept for five seconds, and made once at a time. */
const FRESH_MS = 5_000;
const MOST = 200;

export function forAMoment<T>(): (key: string, make: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { at: number; made: Promise<T> }>();
  return async (key, make) => {
    const time = performance.now();
    for (const [other, { at }] of kept) if (time - at >= FRESH_MS || kept.size > MOST) kept.delete(other);
    const known = kept.get(key);
    if (known) return await known.made;
    const made = make();
    kept.set(key, { at: time, made });
    try {
      return await made;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };
}
