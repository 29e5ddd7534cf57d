/**
 * Locks and unlocks this window. Loaded with the lock screen and the page to choose a PIN, so people without a lock
 * never load it.
 */
import { liveQuery } from 'dexie';
import { monotonicNow, now } from '../clock.ts';
import {
  activatePersonKey,
  currentUserKey,
  destroyPersonKey,
  findStoredKey,
  forgetDecryptionKey,
  loadSealingModule,
  storePersonKey,
} from '../person-key.ts';
import { deviceDb } from '../store/store.ts';
import {
  currentSession,
  type DeviceSession,
  otherTabsChannel,
  SESSION_KEY,
  sessionAwaitingPin,
  setSealedSessionWriter,
  storeDeviceSession,
} from '../stored-session.ts';
import { countPinTry, forgetTries, pinTriesLeft } from './count-tries.ts';
import {
  type DeviceLockRow,
  findLockRow,
  loadLockRows,
  lockState,
  lockStorageKey,
  showLockScreenIfNeeded,
} from './lock.ts';
import { createScreenLockSecret, requestPlatformSecret } from './platform-lock.ts';
import { isAppHiddenFor, type WallAndMonotonicTime } from './sight.ts';
import {
  type PinWrap,
  type PlatformWrappedKey,
  type SessionCipher,
  sessionCipher,
  unwrapByPin,
  unwrapByPlatform,
  wrapByPin,
  wrapByPlatform,
} from './wrap-key.ts';

const DEFAULT_MINUTES = 10;
/** Browsers run timers of hidden pages at most once a minute. */
const LOCK_CHECK_MS = 5_000;

interface StudyCopy {
  deviceLock?: 'OFF' | 'PIN';
  lockAfterMinutes?: number;
}

type Word =
  | { say: 'lock' }
  | { say: 'opened'; owner: string }
  | { say: 'session'; session: DeviceSession | null };

/** Messages to other windows; never written to disk. */
const otherWindows = new BroadcastChannel('device-lock');

interface OpenSession {
  owner: string;
  cipher: SessionCipher;
  stop(): void;
}
let openSession: OpenSession | null = null;

otherWindows.onmessage = ({ data }: MessageEvent<Word>) => {
  if (!openSession) return;
  if (data.say === 'lock') close();
  // Only one person at a time per device.
  if (data.say === 'opened' && data.owner !== openSession.owner) close();
  if (data.say === 'session' && data.session?.user.id === openSession.owner) currentSession.set(data.session);
};
// Another window stored the session unencrypted, because the study no longer requires a lock.
lockState.watch(() => {
  if (lockState.get().is !== 'off' || !openSession) return;
  openSession.stop();
  openSession = null;
});
const tell = (word: Word) => otherWindows.postMessage(word);

/** Locks all windows. */
export function lockNow(): void {
  tell({ say: 'lock' });
  close();
}

/** Switches to another person: the lock screen asks who. If nobody else has a lock here, shows the sign-in page. */
export async function switchPerson(): Promise<void> {
  const owner = openSession?.owner ?? null;
  lockNow();
  const [, second] = await loadLockRows();
  lockState.set(
    second
      ? { is: 'locked', owner: null, place: null, names: true }
      : { is: 'signing-in', owner, forgot: false },
  );
}

function close(): void {
  if (!openSession) return;
  const { owner, stop } = openSession;
  openSession = null;
  stop();
  // Hides the screen first, so that nothing of it is left once the session is gone.
  lockState.set({ is: 'locked', owner, place: location.pathname + location.search });
  setSealedSessionWriter(null);
  currentSession.set(null);
  forgetDecryptionKey();
}

/** A PIN, or the phone's own screen lock. */
export type LockChoice = { pin: string } | 'platform';

/** This person's secret key, if it is known here. */
async function identityOf(owner: string): Promise<string | null> {
  const current = currentUserKey.get();
  if (current?.owner === owner && current.identity) return current.identity;
  return (await findStoredKey(owner))?.identity ?? null;
}

/**
 * Puts this person's key and session under a lock. A key that can no longer be opened is replaced; what was encrypted
 * for it can then only be decrypted by the service.
 */
export async function putSessionUnderLock(next: DeviceSession, request: LockChoice): Promise<void> {
  const { id: owner, firstName: name } = next.user;
  const { newAgeIdentity, ageRecipientOf } = await loadSealingModule();
  const identity = (await identityOf(owner)) ?? newAgeIdentity();
  const wrapped =
    request === 'platform'
      ? await wrapByPlatform(identity, await createScreenLockSecret(name))
      : await wrapByPin(identity, request.pin);
  const cipher = await sessionCipher(identity);
  const row: DeviceLockRow = {
    owner,
    name,
    by: wrapped.by,
    digits: request === 'platform' ? 0 : request.pin.length,
    failures: 0,
    session: await cipher.seal(next),
  };
  await storePersonKey(owner, { recipient: ageRecipientOf(identity), wrapped }, async () => {
    await deviceDb.kept.put({ key: lockStorageKey(owner), value: row });
    await deviceDb.kept.delete(SESSION_KEY);
  });
  await forgetTries(owner);
  // Other windows have to be unlocked separately.
  otherTabsChannel?.postMessage(null);
  await enter(owner, identity, cipher, next);
}

/** `left`: remaining tries. At 0, the key was destroyed by the last try. */
export type UnlockOutcome = { is: 'open' } | { is: 'wrong'; left: number };

export async function unlockByPin(owner: string, pin: string): Promise<UnlockOutcome> {
  const wrap = (await findStoredKey(owner))?.wrapped as PinWrap | undefined;
  // Without a stored key, no PIN can unlock.
  const remainingTries = wrap ? await countPinTry(owner) : null;
  const identity = remainingTries === null || !wrap ? null : await unwrapByPin(wrap, pin);
  if (identity) {
    await forgetTries(owner);
    await unlock(owner, identity);
    return { is: 'open' };
  }
  if (!remainingTries) await destroyKeyAndSession(owner);
  return { is: 'wrong', left: remainingTries ?? 0 };
}

export async function unlockByPlatform(owner: string): Promise<void> {
  const wrap = (await findStoredKey(owner))?.wrapped as PlatformWrappedKey | undefined;
  const identity = wrap && (await unwrapByPlatform(wrap, await requestPlatformSecret(wrap)));
  if (identity) await unlock(owner, identity);
  else await destroyKeyAndSession(owner);
}

async function unlock(owner: string, identity: string): Promise<void> {
  const cipher = await sessionCipher(identity);
  const sealed = (await findLockRow(owner))?.session;
  const pending = sessionAwaitingPin.get();
  const stored = sealed ? ((await cipher.open(sealed)) as DeviceSession | null) : null;
  const next = pending?.user.id === owner ? pending : stored;
  if (!next) return await destroyKeyAndSession(owner);
  await enter(owner, identity, cipher, next);
  if (next !== stored) storeDeviceSession(next);
}

async function enter(owner: string, identity: string, cipher: SessionCipher, next: DeviceSession) {
  await activatePersonKey(owner, identity);
  const before = lockState.get();
  const place = before.is === 'locked' && before.owner === owner ? before.place : null;
  openSession?.stop();
  openSession = { owner, cipher, stop: () => undefined };
  setSealedSessionWriter((changed) => write(owner, cipher, changed));
  tell({ say: 'opened', owner });
  // Another window may have stored a different session meanwhile; both have the same rights.
  currentSession.set(next);
  sessionAwaitingPin.set(null);
  if (place) history.replaceState(null, '', place);
  lockState.set({ is: 'open', owner });
  openSession.stop = watch(owner);
}

/** Stores the current person's session, encrypted. Null signs out on this device. */
async function write(owner: string, cipher: SessionCipher, next: DeviceSession | null): Promise<void> {
  if (next && next.user.id !== owner) return;
  if (!next) return await signOutHere(owner);
  tell({ say: 'session', session: next });
  const sealed = await cipher.seal(next);
  await deviceDb.transaction('rw', deviceDb.kept, async () => {
    const row = await findLockRow(owner);
    if (row?.session)
      await deviceDb.kept.put({
        key: lockStorageKey(owner),
        value: { ...row, session: sealed } satisfies DeviceLockRow,
      });
  });
}

async function signOutHere(owner: string): Promise<void> {
  tell({ say: 'lock' });
  openSession?.stop();
  openSession = null;
  setSealedSessionWriter(null);
  lockState.set({ is: 'off' });
  await forgetLock(owner);
  await showLockScreenIfNeeded();
}

/** For a study without a lock: deletes a leftover key that nobody can open. */
export async function enterWithoutLock(next: DeviceSession): Promise<void> {
  await forgetLock(next.user.id);
  sessionAwaitingPin.set(null);
  lockState.set({ is: 'off' });
  storeDeviceSession(next);
}

/** Deletes the lock and its key. Data encrypted for the key stays. */
export async function forgetLock(owner: string): Promise<void> {
  await destroyPersonKey(owner);
  await deviceDb.kept.delete(lockStorageKey(owner));
}

/** After too many wrong PINs: deletes the key and the session. The lock screen explains this. */
export async function destroyKeyAndSession(owner: string): Promise<void> {
  await destroyPersonKey(owner);
  await deviceDb.transaction('rw', deviceDb.kept, async () => {
    const row = await findLockRow(owner);
    if (row)
      await deviceDb.kept.put({
        key: lockStorageKey(owner),
        value: { ...row, session: null } satisfies DeviceLockRow,
      });
  });
  tell({ say: 'lock' });
  if (openSession?.owner === owner) close();
}

/** In case the browser was killed right after the last try. */
export async function finishDestroyingLock(row: DeviceLockRow): Promise<void> {
  if (row.session && pinTriesLeft(row) === 0) await destroyKeyAndSession(row.owner);
}

/** The study no longer requires a lock. */
async function unprotect({ owner }: OpenSession): Promise<void> {
  const key = currentUserKey.get();
  const current = currentSession.get();
  if (key?.owner !== owner || !key.identity || current?.user.id !== owner) return;
  const { recipient, identity } = key;
  openSession?.stop();
  openSession = null;
  setSealedSessionWriter(null);
  await storePersonKey(owner, { recipient, identity }, async () => {
    await deviceDb.kept.delete(lockStorageKey(owner));
    await deviceDb.kept.put({ key: SESSION_KEY, value: current });
  });
  storeDeviceSession(current);
  lockState.set({ is: 'off' });
}

/** Locks the window after it was hidden for too long, and removes the lock if the study turns it off. */
function watch(owner: string): () => void {
  let minutes = DEFAULT_MINUTES;
  let hidden: WallAndMonotonicTime | null = null;
  const at = (): WallAndMonotonicTime => ({ wall: now(), ticks: monotonicNow() });
  const look = () => {
    if (hidden && isAppHiddenFor(minutes, hidden, at())) close();
    else if (document.visibilityState === 'visible') hidden = null;
    else hidden ??= at();
  };
  look();
  document.addEventListener('visibilitychange', look);
  // The page goes into the back/forward cache and may come back as it was.
  const onHide = () => {
    hidden ??= at();
  };
  addEventListener('pagehide', onHide);
  addEventListener('pageshow', look);
  document.addEventListener('resume', look);
  const checking = setInterval(look, LOCK_CHECK_MS);
  const studies = liveQuery(() => deviceDb.kept.get('study')).subscribe({
    next: (copy) => {
      const study = copy?.value as StudyCopy | undefined;
      minutes = study?.lockAfterMinutes ?? minutes;
      if (study?.deviceLock === 'OFF' && openSession?.owner === owner)
        void unprotect(openSession).catch(() => undefined);
    },
    error: () => undefined,
  });
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('pagehide', onHide);
    removeEventListener('pageshow', look);
    document.removeEventListener('resume', look);
    clearInterval(checking);
    studies.unsubscribe();
  };
}
