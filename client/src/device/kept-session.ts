/**
 * Who is signed in, kept on the device so that the app opens without a signal. A token that has run out does not sign
 * anybody out: the work goes on, and only what needs the service asks for a new code.
 */
import type { SessionReply } from '../wire.ts';
import { watched } from './watched.ts';

export interface KeptSession extends SessionReply {
  token: string;
  /** The service has refused the token: nothing is sent until the person signs in again. */
  expired: boolean;
  refreshedAt: number;
}

const KEY = 'session';

function read(): KeptSession | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as KeptSession | null;
  } catch {
    return null;
  }
}

export const session = watched<KeptSession | null>(read());

export function keepSession(next: KeptSession | null): void {
  try {
    if (next) localStorage.setItem(KEY, JSON.stringify(next));
    else localStorage.removeItem(KEY);
  } catch {
    // No room: it holds for as long as the page is open.
  }
  session.set(next);
}

/** Another tab signed in or out. */
addEventListener('storage', (event) => {
  if (event.key === KEY || event.key === null) session.set(read());
});
