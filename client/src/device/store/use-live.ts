/**
 * The current contents of the device's store, updated after each change, including changes in other tabs. `key`
 * identifies the query.
 */
import { liveQuery } from 'dexie';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { storeGeneration } from './open-store.ts';

export function useLiveStoreQuery<T>(key: string, ask: () => Promise<T>): T | undefined {
  const [answer, setAnswer] = useState<{ key: string; value: T }>();
  const latest = useRef(ask);
  latest.current = ask;
  const turn = useSyncExternalStore(storeGeneration.watch, storeGeneration.get);
  // A reopened store needs a new subscription.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const watch = liveQuery(() => latest.current()).subscribe({
      // Ignores an unchanged value: an interview's own row is written on every keystroke.
      next: (value) =>
        setAnswer((last) => (last?.key === key && Object.is(last.value, value) ? last : { key, value })),
      // Keeps the last value on the screen; writes report their own errors.
      error: () => undefined,
    });
    return () => watch.unsubscribe();
  }, [key, turn]);
  return answer?.key === key ? answer.value : undefined;
}
