/**
 * Who is signed in, kept on the device so that the app opens without a signal. A token that has run out does not sign
 * anybody out: the work goes on, and only what needs the service asks for a new code.
 *
 * In IndexedDB and not in localStorage, which browsers write to the disk seconds later: a phone that dies must not
 * lock its owner out where nobody can send a new code.
 */
import type { SessionReply } from '../wire.ts';
import { db } from './store.ts';
import { watched } from './watched.ts';

export interface KeptSession extends SessionReply {
  token: string;
  /** The service has refused the token: nothing is sent until the person signs in again. */
  expired: boolean;
  refreshedAt: number;
}

const KEY = 'session';
const otherTabs = new BroadcastChannel(KEY);

export const session = watched<KeptSession | null>(null);

/** Once, before the first screen. */
export async function loadSession(): Promise<void> {
  session.set(((await db.kept.get(KEY))?.value as KeptSession | undefined) ?? null);
  otherTabs.onmessage = ({ data }: MessageEvent<KeptSession | null>) => session.set(data);
}

export function keepSession(next: KeptSession | null): void {
  session.set(next);
  otherTabs.postMessage(next);
  const stored: PromiseLike<unknown> = next ? db.kept.put({ key: KEY, value: next }) : db.kept.delete(KEY);
  // Without room it holds for as long as the page is open.
  stored.then(undefined, () => undefined);
}
