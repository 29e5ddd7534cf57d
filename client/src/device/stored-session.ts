/**
 * The signed-in user, stored on the device so that the app opens offline. An expired token does not sign anyone out:
 * work continues, and only what needs the service asks for a new code. It is in IndexedDB because browsers write
 * localStorage to the disk seconds later: a phone that dies must not lock its owner out where nobody can send a new
 * code.
 */
import { isDeepEqual } from '../../../src/platform/lib/objects/deep-equal.ts';
import type { SessionReply } from '../wire.ts';
import { findLock, lockState } from './lock/lock.ts';
import { observable } from './observable.ts';
import { storeGeneration } from './store/open-store.ts';
import { db } from './store/store.ts';

export interface StoredSession extends SessionReply {
  /** The service's clock when it sent the rules. Absent in what an older version of the app stored. */
  at?: string;
  token: string;
  /** The service has refused the token: nothing is sent until the person signs in again. */
  expired: boolean;
  /** When it did, by the service's clock; gone once the app has drawn its conclusions. */
  refusedAt?: string | undefined;
  refreshedAt: number;
}

/** Of the session in plaintext. */
export const SESSION_KEY = 'session';
/** They follow what is said here. */
export const otherTabs = channelToOthers();

/** Absent in older browsers, closed where the page may store nothing. */
function channelToOthers(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(SESSION_KEY);
  } catch {
    return null;
  }
}

/** What the page knows is in the store too; without room it isn't. */
let isKept = true;

export const currentSession = observable<StoredSession | null>(null);

/** Of someone who has just signed in, until a PIN is chosen or entered. It is stored nowhere before that. */
export const pendingSession = observable<StoredSession | null>(null);

/** In a window that a PIN opened: stores the session sealed (lock/device-lock.ts). */
type SealedWriter = (next: StoredSession | null) => Promise<void>;
let sealedWriter: SealedWriter | null = null;
export const setSealedWriter = (next: SealedWriter | null): void => {
  sealedWriter = next;
};

/** Once, before the first screen. */
export async function loadSession(): Promise<void> {
  // Another tab's word is followed at once; one that slept, or can't hear, looks when it comes to the front.
  if (otherTabs) otherTabs.onmessage = ({ data }: MessageEvent<StoredSession | null>) => void follow(data);
  const look = () => {
    if (document.visibilityState === 'visible' && isKept) void readStored().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('pageshow', ({ persisted }) => persisted && look());
  storeGeneration.watch(() => isKept || storeSession(currentSession.get()));
  await readStored();
}

async function readStored(): Promise<void> {
  if (sealedWriter) return;
  const storedSession = ((await db.kept.get(SESSION_KEY))?.value as StoredSession | undefined) ?? null;
  if (isKept && !sealedWriter && !isDeepEqual(storedSession, currentSession.get()))
    await follow(storedSession);
  else if (!storedSession) await findLock();
}

/** A session as it lies in the store in plaintext. Where there is none, somebody may be locked here. */
async function follow(storedSession: StoredSession | null): Promise<void> {
  if (storedSession) {
    sealedWriter = null;
    lockState.set({ is: 'off' });
  } else if (sealedWriter) return;
  else await findLock().catch(() => undefined);
  currentSession.set(storedSession);
}

export function storeSession(next: StoredSession | null): void {
  currentSession.set(next);
  isKept = false;
  const writing = sealedWriter ? sealedWriter(next) : writeInClear(next);
  writing.then(
    () => {
      isKept = true;
    },
    // Without room it holds for as long as the page is open.
    () => undefined,
  );
}

function writeInClear(next: StoredSession | null): PromiseLike<unknown> {
  otherTabs?.postMessage(next);
  return next ? db.kept.put({ key: SESSION_KEY, value: next }) : db.kept.delete(SESSION_KEY).then(findLock);
}
