/** Opens the store. If that fails, the screen shows why. */

import { observable } from '../observable.ts';
import { db, namesIn } from './store.ts';
import { mirrorStore, restoreLostRows } from './store-backup.ts';

/**
 * Why nothing can be stored. `absent`: the browser keeps nothing for this page. `closed`: it did, and stopped, as it does
 * on a full disk. `newer`: another window has a newer version of the app. `blocked`: it waits for an older window.
 */
export type NoStoreReason = 'absent' | 'closed' | 'newer' | 'blocked';
/** Grows each time that the store is opened. */
export const storeGeneration = observable(0);
export const noStore = observable<NoStoreReason | null>(null);

const NOT_ALLOWED = ['MissingAPIError', 'SecurityError', 'InvalidStateError'];

/** Where a setting of the browser blocks what pages store, the big store fails without saying so; the small one says. */
function isShutOut(): boolean {
  try {
    return localStorage === null;
  } catch {
    return true;
  }
}

let opening = false;

/** Whether the store can be used; why not is in `noStore`. A store that closed is opened anew. */
export async function openStore(): Promise<boolean> {
  try {
    // One that failed is tried again only after this; Dexie reports it as a closing too.
    opening = true;
    if (!db.isOpen()) db.close({ disableAutoOpen: false });
    await db.open();
    return true;
  } catch (error) {
    const never = isShutOut() || namesIn(error).some((name) => NOT_ALLOWED.includes(name));
    noStore.set(never ? 'absent' : 'closed');
    return false;
  } finally {
    opening = false;
  }
}

/** Whoever opened it: a store that closed is also opened by the next one who asks something of it. */
const onReady = async (): Promise<void> => {
  await restoreLostRows();
  noStore.set(null);
  storeGeneration.set(storeGeneration.get() + 1);
  mirrorStore();
};
db.on('ready', onReady, true);
db.on('close', () => {
  if (!opening) noStore.set('closed');
});
db.on('blocked', () => noStore.set('blocked'));
db.on('versionchange', () => {
  // Else the newer one could not start.
  db.close();
  noStore.set('newer');
});
