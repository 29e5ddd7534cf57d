/**
 * Signing out on this device: at once here, and at the service at the next contact. What is not sent stays, under the
 * person's name, and the send token with it.
 */
import { db } from '../device/store/store.ts';
import { currentSession, storeSession } from '../device/stored-session.ts';
import { Refusal, request } from '../session/api.ts';

/** What ends the sessions that ended here: tokens which are good for nothing else, unless an earlier version stored them. */
const KEY = 'sign-outs';

/** Of sessions that an earlier version made, which have no such token: what may do more is never stored. */
const unstored = new Set<string>();

const openOnes = async (): Promise<string[]> =>
  ((await db.kept.get(KEY))?.value as string[] | undefined) ?? [];

const change = (by: (tokens: string[]) => string[]): Promise<void> =>
  db.transaction('rw', db.kept, async () => {
    const tokens = by(await openOnes());
    if (tokens.length > 0) await db.kept.put({ key: KEY, value: tokens });
    else await db.kept.delete(KEY);
  });

export function signOut(): void {
  const who = currentSession.get();
  const token = who?.expired ? undefined : who?.signOutToken;
  const noted = token ? change((tokens) => [...tokens, token]) : Promise.resolve();
  if (who && !who.expired && !token) unstored.add(who.token);
  storeSession(null);
  void noted.then(finishSignOuts).catch(() => undefined);
}

/** Its token has already ended at the service. */
export const forgetSession = (): void => storeSession(null);

let running: Promise<void> | null = null;

/** At each contact, until the service has heard of all of them. */
export function finishSignOuts(): Promise<void> {
  running ??= endAll().finally(() => {
    running = null;
  });
  return running;
}

/** A token that the service refuses has ended already. */
async function endAll(): Promise<void> {
  for (const token of [...unstored, ...(await openOnes())]) {
    try {
      await request('POST', '/api/auth/sign-out', { token });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 429 || error.status >= 500) return;
    }
    unstored.delete(token);
    await change((tokens) => tokens.filter((one) => one !== token));
  }
}
