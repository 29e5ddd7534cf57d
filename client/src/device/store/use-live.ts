/**
 * The current contents of the device's store, updated after each change, including changes in other tabs. `key`
 * identifies the query.
 */
import { liveQuery } from 'dexie';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { storeGeneration } from './open-store.ts';

export function useLive<T>(key: string, ask: () => Promise<T>): T | undefined {
  const [answer, setAnswer] = useState<{ key: string; value: T }>();
  const latest = useRef(ask);
  latest.current = ask;
  const turn = useSyncExternalStore(storeGeneration.watch, storeGeneration.get);
  // A store that closed and was opened again is another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const watch = liveQuery(() => latest.current()).subscribe({
      // The same word again draws nothing anew: an interview hears of its own row at each letter typed.
      next: (value) =>
        setAnswer((last) => (last?.key === key && Object.is(last.value, value) ? last : { key, value })),
      // What is on the screen stays there; writing reports its own faults.
      error: () => undefined,
    });
    return () => watch.unsubscribe();
  }, [key, turn]);
  return answer?.key === key ? answer.value : undefined;
}
