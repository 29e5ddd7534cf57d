/**
 * Counts wrong PINs. Each try is counted before it is checked, so that killing the browser or opening a second window
 * doesn't gain a try. The count is in the store, or in localStorage if the phone is too full to write to the store.
 */
import { dropLocalSetting, readLocalSetting, storeLocalSetting } from '../local-settings.ts';
import { deviceDb, isStorageFullError } from '../store/store.ts';
import { type DeviceLockRow, findLockRow, lockStorageKey } from './lock.ts';

export const MAX_WRONG_PINS = 10;

const settingOf = (owner: string) => `pin-failures-${owner}`;

const failuresOf = (row: DeviceLockRow): number =>
  Math.max(row.failures, Number(readLocalSetting(settingOf(row.owner))) || 0);

export const pinTriesLeft = (row: DeviceLockRow): number => Math.max(0, MAX_WRONG_PINS - failuresOf(row));

/** The row with one more try counted; null if none is left. */
async function nextTry(owner: string): Promise<DeviceLockRow | null> {
  const row = await findLockRow(owner);
  return row && pinTriesLeft(row) > 0 ? { ...row, failures: failuresOf(row) + 1 } : null;
}

/** Counts a try and returns how many are left after it, or null if no try was left. */
export async function countPinTry(owner: string): Promise<number | null> {
  let next: DeviceLockRow | null = null;
  try {
    next = await deviceDb.transaction('rw', deviceDb.kept, async () => {
      const row = await nextTry(owner);
      if (row) await deviceDb.kept.put({ key: lockStorageKey(owner), value: row });
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
  dropLocalSetting(settingOf(owner));
  try {
    await deviceDb.transaction('rw', deviceDb.kept, async () => {
      const row = await findLockRow(owner);
      if (row?.failures)
        await deviceDb.kept.put({ key: lockStorageKey(owner), value: { ...row, failures: 0 } });
    });
  } catch (error) {
    // The next right PIN resets the count.
    if (!isStorageFullError(error)) throw error;
  }
}
