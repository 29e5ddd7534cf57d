/**
 * Whether this window is locked. With `deviceLock: PIN` a person's key and session lie on the device only as a PIN, or the
 * phone's own lock, has wrapped them; what has to be known while it is locked is in a LockRow.
 */
import { observable } from '../observable.ts';
import { db } from '../store/store.ts';

export type Lock =
  /** Nobody has a lock here, or whoever is at work has none. */
  | { is: 'off' }
  | { is: 'open'; owner: string }
  /**
   * `owner`: who was at work, or whoever is chosen to unlock. `place`: the page that this person comes back to. `names`:
   * somebody tapped to see who has a lock here.
   */
  | { is: 'locked'; owner: string | null; place: string | null; names?: boolean }
  /** The locked screen gave way to the page to sign in. `toOpen`: to read unfinished interviews again, which takes a coordinator's code. */
  | { is: 'signing-in'; owner: string | null; forgot: boolean; toOpen?: boolean };

/** Encrypted with AES-GCM. */
export interface EncryptedData {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/** Of each person who has a lock on this device; readable without unlocking. */
export interface LockRow {
  owner: string;
  /** The first name, to choose by where several people have one. */
  name: string;
  by: 'pin' | 'platform';
  /** Of a PIN: how many, so that nobody needs a key to confirm it. */
  digits: number;
  /** Wrong PINs in a row, each counted before it was tried. */
  failures: number;
  /** Null once the key is destroyed. */
  session: EncryptedData | null;
}

const PREFIX = 'device-lock-';
export const lockKey = (owner: string): string => PREFIX + owner;

export const lockState = observable<Lock>({ is: 'off' });

export async function lockRows(): Promise<LockRow[]> {
  const rows = await db.kept.where('key').startsWith(PREFIX).toArray();
  return rows.map(({ value }) => value as LockRow);
}

export const lockRowOf = async (owner: string): Promise<LockRow | undefined> =>
  (await db.kept.get(lockKey(owner)))?.value as LockRow | undefined;

/** Where nobody is at work: the locked screen, if anybody has a lock here. */
export async function findLock(): Promise<void> {
  const { is } = lockState.get();
  if (is === 'locked' || is === 'signing-in') return;
  const [first, second] = await lockRows();
  lockState.set(first ? { is: 'locked', owner: second ? null : first.owner, place: null } : { is: 'off' });
}
