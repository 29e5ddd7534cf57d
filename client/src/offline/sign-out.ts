/**
 * Signing out on this device: at once here, and at the service at the next contact. What is not sent stays, under the
 * person's name, and the send token with it.
 */
import { lock } from '../device/lock/lock.ts';
import { db } from '../device/store/store.ts';
import { keepSession, session } from '../device/stored-session.ts';
import { Refusal, request } from '../session/api.ts';

/** The tokens of sessions that ended here and still have to be ended at the service. */
const KEY = 'sign-outs';

const openOnes = async (): Promise<string[]> =>
  ((await db.kept.get(KEY))?.value as string[] | undefined) ?? [];

/** The same of people with a PIN, whose tokens are never stored in clear: until the app is closed. */
let inMemory: string[] = [];

const change = (by: (tokens: string[]) => string[]): Promise<void> =>
  db.transaction('rw', db.kept, async () => {
    const tokens = by(await openOnes());
    if (tokens.length > 0) await db.kept.put({ key: KEY, value: tokens });
    else await db.kept.delete(KEY);
  });

async function note(token: string, isLocked: boolean): Promise<void> {
  if (isLocked) inMemory.push(token);
  else await change((tokens) => [...tokens, token]);
}

export function signOut(): void {
  const who = session.get();
  const isLocked = lock.get().is === 'open';
  const noted = who && !who.expired ? note(who.token, isLocked) : Promise.resolve();
  keepSession(null);
  void noted.then(finishSignOuts).catch(() => undefined);
}

/** Its token has already ended at the service. */
export const forgetSession = (): void => keepSession(null);

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
  for (const token of [...inMemory, ...(await openOnes())]) {
    try {
      await request('POST', '/api/auth/sign-out', { token });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 429 || error.status >= 500) return;
    }
    inMemory = inMemory.filter((one) => one !== token);
    await change((tokens) => tokens.filter((one) => one !== token));
  }
}
