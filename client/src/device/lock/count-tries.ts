/**
 * Counts wrong PINs. Each try is counted before it is checked, so that killing the browser or opening a second window
 * doesn't gain a try. The count is in the store, or in localStorage if the phone is too full to write to the store.
 */
import { dropSetting, readLocalSetting, storeLocalSetting } from '../local-settings.ts';
import { db, isStorageFullError } from '../store/store.ts';
import { type LockRow, lockRowOf, lockStorageKey } from './lock.ts';

export const MAX_WRONG_PINS = 10;

const settingOf = (owner: string) => `pin-failures-${owner}`;

const failuresOf = (row: LockRow): number =>
  Math.max(row.failures, Number(readLocalSetting(settingOf(row.owner))) || 0);

export const pinTriesLeft = (row: LockRow): number => Math.max(0, MAX_WRONG_PINS - failuresOf(row));

/** The row with one more try counted; null if none is left. */
async function nextTry(owner: string): Promise<LockRow | null> {
  const row = await lockRowOf(owner);
  return row && pinTriesLeft(row) > 0 ? { ...row, failures: failuresOf(row) + 1 } : null;
}

/** Counts a try and returns how many are left after it, or null if no try was left. */
export async function countTry(owner: string): Promise<number | null> {
  let next: LockRow | null = null;
  try {
    next = await db.transaction('rw', db.kept, async () => {
      const row = await nextTry(owner);
      if (row) await db.kept.put({ key: lockStorageKey(owner), value: row });
      return row;
    });
  } catch (error) {
    if (!isStorageFullError(error)) throw error;
    next = await nextTry(owner);
    if (next && !storeLocalSetting(settingOf(owner), String(next.failures))) throw error;
  }
  return next && MAX_WRONG_PINS - next.failures;
}

/** After the right PIN. */
export async function forgetTries(owner: string): Promise<void> {
  dropSetting(settingOf(owner));
  try {
    await db.transaction('rw', db.kept, async () => {
      const row = await lockRowOf(owner);
      if (row?.failures) await db.kept.put({ key: lockStorageKey(owner), value: { ...row, failures: 0 } });
    });
  } catch (error) {
    // The next right PIN resets the count.
    if (!isStorageFullError(error)) throw error;
  }
}
