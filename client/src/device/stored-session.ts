/**
 * The signed-in user, stored on the device so that the app opens offline. An expired token doesn't sign anyone out:
 * work continues, and only what needs the service asks for a new code. It is in IndexedDB because browsers write
 * localStorage to disk seconds later, and a phone that dies must not lock its owner out where nobody can send a new
 * code.
 */
import { isDeepEqual } from '../../../src/platform/lib/objects/deep-equal.ts';
import type { SessionReply } from '../wire.ts';
import { lockState, showLockScreenIfNeeded } from './lock/lock.ts';
import { observable } from './observable.ts';
import { storeGeneration } from './store/open-store.ts';
import { deviceDb } from './store/store.ts';

export interface DeviceSession extends SessionReply {
  /** The service's time when it sent the rules. Absent in rows of older app versions. */
  at?: string;
  token: string;
  /** The service has rejected the token: nothing is sent until the person signs in again. */
  expired: boolean;
  /** When it was rejected, by the service's clock. Removed once the app has reacted to it. */
  refusedAt?: string | undefined;
  refreshedAt: number;
}

/** Key of the unencrypted session. */
export const SESSION_KEY = 'session';
/** Tells the other tabs about changes of the session. */
export const otherTabsChannel = channelToOthers();

/** Null if the browser lacks it or doesn't allow storage. */
function channelToOthers(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(SESSION_KEY);
  } catch {
    return null;
  }
}

/** False while the store doesn't have the current session, for example because it is full. */
let isSessionStored = true;

export const currentSession = observable<DeviceSession | null>(null);

/** The session of someone who just signed in, until they choose or enter a PIN. Not stored before that. */
export const sessionAwaitingPin = observable<DeviceSession | null>(null);

/** Stores the session encrypted, in a window unlocked by PIN (lock/device-lock.ts). */
type SealedWriter = (next: DeviceSession | null) => Promise<void>;
let sealedWriter: SealedWriter | null = null;
export const setSealedSessionWriter = (next: SealedWriter | null): void => {
  sealedWriter = next;
};

/** Runs once, before the first screen. */
export async function loadStoredSession(): Promise<void> {
  // Follows other tabs' messages at once. A tab that slept, or has no channel, checks the store when it
  // becomes visible.
  if (otherTabsChannel)
    otherTabsChannel.onmessage = ({ data }: MessageEvent<DeviceSession | null>) =>
      void applyStoredSession(data);
  const look = () => {
    if (document.visibilityState === 'visible' && isSessionStored) void readStored().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('pageshow', ({ persisted }) => persisted && look());
  storeGeneration.watch(() => isSessionStored || storeDeviceSession(currentSession.get()));
  await readStored();
}

async function readStored(): Promise<void> {
  if (sealedWriter) return;
  const storedSession = ((await deviceDb.kept.get(SESSION_KEY))?.value as DeviceSession | undefined) ?? null;
  if (isSessionStored && !sealedWriter && !isDeepEqual(storedSession, currentSession.get()))
    await applyStoredSession(storedSession);
  else if (!storedSession) await showLockScreenIfNeeded();
}

/** Applies a session stored unencrypted. If there is none, the window may have to show the lock screen. */
async function applyStoredSession(storedSession: DeviceSession | null): Promise<void> {
  if (storedSession) {
    sealedWriter = null;
    lockState.set({ is: 'off' });
  } else if (sealedWriter) return;
  else await showLockScreenIfNeeded().catch(() => undefined);
  currentSession.set(storedSession);
}

export function storeDeviceSession(next: DeviceSession | null): void {
  currentSession.set(next);
  isSessionStored = false;
  const writing = sealedWriter ? sealedWriter(next) : writeInClear(next);
  writing.then(
    () => {
      isSessionStored = true;
    },
    // If storage is full, the session lasts until the page closes.
    () => undefined,
  );
}

function writeInClear(next: DeviceSession | null): PromiseLike<unknown> {
  otherTabsChannel?.postMessage(next);
  return next
    ? deviceDb.kept.put({ key: SESSION_KEY, value: next })
    : deviceDb.kept.delete(SESSION_KEY).then(showLockScreenIfNeeded);
}
