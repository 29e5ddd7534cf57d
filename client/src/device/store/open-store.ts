/** Opens the store. If that fails, the screen shows why. */

import { observable } from '../observable.ts';
import { deviceDb, errorNamesOf } from './store.ts';
import { mirrorStoreInMemory, restoreLostRows } from './store-backup.ts';

/**
 * Why nothing can be stored. `absent`: the browser doesn't allow it. `closed`: it did, but the store closed, as
 * happens when the disk is full. `newer`: another window has a newer version of the app. `blocked`: an older window
 * has to be closed first.
 */
export type NoStoreReason = 'absent' | 'closed' | 'newer' | 'blocked';
/** Increases each time the store is opened. */
export const storeGeneration = observable(0);
export const noStoreReason = observable<NoStoreReason | null>(null);

const NOT_ALLOWED = ['MissingAPIError', 'SecurityError', 'InvalidStateError'];

/** If a browser setting blocks storage, IndexedDB may fail without saying why; localStorage throws. */
function isStorageBlocked(): boolean {
  try {
    return localStorage === null;
  } catch {
    return true;
  }
}

let isOpening = false;

/** Opens the store, reopening one that was closed. False if it can't be used; `noStoreReason` has the reason. */
export async function openStore(): Promise<boolean> {
  try {
    // A store that failed only reopens after this close. Dexie fires "close" for it too, hence the flag.
    isOpening = true;
    if (!deviceDb.isOpen()) deviceDb.close({ disableAutoOpen: false });
    await deviceDb.open();
    return true;
  } catch (error) {
    const never = isStorageBlocked() || errorNamesOf(error).some((name) => NOT_ALLOWED.includes(name));
    noStoreReason.set(never ? 'absent' : 'closed');
    return false;
  } finally {
    isOpening = false;
  }
}

/** Runs no matter who opened the store: a query on a closed store reopens it too. */
const onReady = async (): Promise<void> => {
  await restoreLostRows();
  noStoreReason.set(null);
  storeGeneration.set(storeGeneration.get() + 1);
  mirrorStoreInMemory();
};
deviceDb.on('ready', onReady, true);
deviceDb.on('close', () => {
  if (!isOpening) noStoreReason.set('closed');
});
deviceDb.on('blocked', () => noStoreReason.set('blocked'));
deviceDb.on('versionchange', () => {
  // Otherwise the newer version couldn't start.
  deviceDb.close();
  noStoreReason.set('newer');
});
