/** Decrypts the current person's rows; undefined while loading. Follows the lock of their key. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { currentUserKey } from '../device/person-key.ts';
import type { OpenSealed } from '../device/sealing.ts';
import { rowSealing } from './sealed-rows.ts';

export interface Opener {
  /** Null while the key is locked or gone. */
  open: OpenSealed | null;
}

/** Not inside `useLiveStoreQuery`: this creates a missing key, and live queries must not write to the store. */
export function useRowDecrypter(owner: string): Opener | undefined {
  const key = useSyncExternalStore(currentUserKey.watch, currentUserKey.get);
  const [opener, setOpener] = useState<Opener>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key, or a locked one, decrypts other rows
  useEffect(() => {
    let current = true;
    const set = (open: OpenSealed | null) => {
      if (current) setOpener({ open });
    };
    void rowSealing(owner).then(
      (sealing) => set(sealing?.open ?? null),
      () => set(null),
    );
    return () => {
      current = false;
    };
  }, [owner, key]);
  return opener;
}
