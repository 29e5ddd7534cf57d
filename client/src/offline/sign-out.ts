/**
 * Signs out: at once on this device, and on the service at the next contact. Unsent interviews stay, under the
 * person's name, together with the send token.
 */
import { deviceDb } from '../device/store/store.ts';
import { currentSession, storeDeviceSession } from '../device/stored-session.ts';
import { RequestRefusal, request } from '../session/api.ts';

/** Tokens that can only end a session, except those stored by earlier versions. */
const KEY = 'sign-outs';

/** Sessions of earlier versions have no such token. Their own tokens can do more, so they are never stored. */
const unstoredTokens = new Set<string>();

const readStoredTokens = async (): Promise<string[]> =>
  ((await deviceDb.kept.get(KEY))?.value as string[] | undefined) ?? [];

const updateStoredTokens = (by: (tokens: string[]) => string[]): Promise<void> =>
  deviceDb.transaction('rw', deviceDb.kept, async () => {
    const tokens = by(await readStoredTokens());
    if (tokens.length > 0) await deviceDb.kept.put({ key: KEY, value: tokens });
    else await deviceDb.kept.delete(KEY);
  });

export function signOut(): void {
  const who = currentSession.get();
  const token = who?.expired ? undefined : who?.signOutToken;
  const storing = token ? updateStoredTokens((tokens) => [...tokens, token]) : Promise.resolve();
  if (who && !who.expired && !token) unstoredTokens.add(who.token);
  storeDeviceSession(null);
  void storing.then(finishSignOuts).catch(() => undefined);
}

/** Removes the session here. The service has already ended its token. */
export const forgetSession = (): void => storeDeviceSession(null);

let running: Promise<void> | null = null;

/** At each contact, until the service has ended all of them. */
export function finishSignOuts(): Promise<void> {
  running ??= endAll().finally(() => {
    running = null;
  });
  return running;
}

/** If the service rejects a token, its session has already ended. */
async function endAll(): Promise<void> {
  for (const token of [...unstoredTokens, ...(await readStoredTokens())]) {
    try {
      await request('POST', '/api/auth/sign-out', { token });
    } catch (error) {
      if (!(error instanceof RequestRefusal) || error.status === 429 || error.status >= 500) return;
    }
    unstoredTokens.delete(token);
    await updateStoredTokens((tokens) => tokens.filter((one) => one !== token));
  }
}
