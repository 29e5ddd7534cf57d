/**
 * The token with which this device sends finished interviews after their interviewer's session expired or was ended
 * by signing out here. It is good for nothing else, and stays on the device until the service rejects it.
 */
import { unverifiedTokenClaims } from '../device/claims.ts';
import { isOlderThan, now } from '../device/clock.ts';
import { deviceDb } from '../device/store/store.ts';
import { currentSession } from '../device/stored-session.ts';
import { RequestRefusal, request } from '../session/api.ts';

interface SendToken {
  token: string;
  /** The session it belongs to. */
  session: string;
  fetchedAt: number;
}

const PREFIX = 'send-token-';
const keyOf = (owner: string) => PREFIX + owner;
/** The token lasts 30 days from when it is fetched. */
const RENEW_MS = 24 * 3_600_000;

const storedToken = async (owner: string): Promise<SendToken | undefined> =>
  (await deviceDb.kept.get(keyOf(owner)))?.value as SendToken | undefined;

export const hasStoredSendToken = async (owner: string): Promise<boolean> =>
  Boolean(await storedToken(owner));

/** Everyone whose interviews this device can send. */
export async function ownersWithSendToken(): Promise<string[]> {
  const tokenKeys = await deviceDb.kept.where('key').startsWith(PREFIX).primaryKeys();
  return tokenKeys.map((key) => key.slice(PREFIX.length));
}

/** The token to send this person's interviews with; null if nothing may be sent now. */
export async function tokenToSendInterviews(owner: string): Promise<string | null> {
  const who = currentSession.get();
  if (who?.user.id === owner && who.user.approvalStatus !== 'APPROVED') return null;
  if (who?.user.id === owner && !who.expired) return who.token;
  return (await storedToken(owner))?.token ?? null;
}

export const isSendToken = (token: string): boolean => token !== currentSession.get()?.token;

export async function dropSendToken(owner: string, token: string): Promise<void> {
  if ((await storedToken(owner))?.token === token) await deviceDb.kept.delete(keyOf(owner));
}

let renewing: Promise<void> | null = null;

/** For each new session, and once a day. */
export function renewSendToken(): Promise<void> {
  renewing ??= renew().finally(() => {
    renewing = null;
  });
  return renewing;
}

async function renew(): Promise<void> {
  const who = currentSession.get();
  if (!who || who.expired || who.user.approvalStatus !== 'APPROVED') return;
  const owner = who.user.id;
  const current = sessionIn(who.token);
  const before = await storedToken(owner);
  if (!current || (before?.session === current && !isOlderThan(before.fetchedAt, RENEW_MS))) return;
  try {
    const { token } = await request<{ token: string }>('POST', '/api/auth/send-token', { token: who.token });
    await deviceDb.kept.put({ key: keyOf(owner), value: { token, session: current, fetchedAt: now() } });
  } catch (error) {
    // An older service doesn't have this route.
    if (!(error instanceof RequestRefusal)) throw error;
  }
}

/** A token's session id; null for tokens of earlier versions. */
const sessionIn = (token: string): string | null => unverifiedTokenClaims(token).sid ?? null;
