/**
 * Whether this window is locked. With `deviceLock: PIN`, a person's key and session are only stored encrypted with a
 * PIN or the phone's own lock. A LockRow has what must be known while locked.
 */
import { observable } from '../observable.ts';
import { deviceDb } from '../store/store.ts';

export type DeviceLockState =
  /** Nobody has a lock on this device, or the current person has none. */
  | { is: 'off' }
  | { is: 'open'; owner: string }
  /**
   * `owner`: who was signed in, or who was chosen to unlock. `place`: the page this person returns to. `names`:
   * someone tapped to see who has a lock here.
   */
  | { is: 'locked'; owner: string | null; place: string | null; names?: boolean }
  /**
   * The sign-in page was opened from the lock screen. `toOpen`: to read unfinished interviews again, which takes a
   * coordinator's code.
   */
  | { is: 'signing-in'; owner: string | null; forgot: boolean; toOpen?: boolean };

/** Encrypted with AES-GCM. */
export interface EncryptedData {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/** One per person with a lock on this device; readable without unlocking. */
export interface DeviceLockRow {
  owner: string;
  /** First name, for choosing if several people have a lock. */
  name: string;
  by: 'pin' | 'platform';
  /** Length of the PIN, so that it is checked without pressing a button. */
  digits: number;
  /** Wrong PINs in a row, each counted before it is checked. */
  failures: number;
  /** Null once the key is destroyed. */
  session: EncryptedData | null;
}

const PREFIX = 'device-lock-';
export const lockStorageKey = (owner: string): string => PREFIX + owner;

export const lockState = observable<DeviceLockState>({ is: 'off' });

export async function loadLockRows(): Promise<DeviceLockRow[]> {
  const rows = await deviceDb.kept.where('key').startsWith(PREFIX).toArray();
  return rows.map(({ value }) => value as DeviceLockRow);
}

export const findLockRow = async (owner: string): Promise<DeviceLockRow | undefined> =>
  (await deviceDb.kept.get(lockStorageKey(owner)))?.value as DeviceLockRow | undefined;

/** While nobody is signed in: shows the lock screen if anyone has a lock here. */
export async function showLockScreenIfNeeded(): Promise<void> {
  const { is } = lockState.get();
  if (is === 'locked' || is === 'signing-in') return;
  const [first, second] = await loadLockRows();
  lockState.set(first ? { is: 'locked', owner: second ? null : first.owner, place: null } : { is: 'off' });
}
