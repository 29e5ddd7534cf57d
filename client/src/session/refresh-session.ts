/** Asks the service who the signed-in person is now. */
import { now } from '../device/clock.ts';
import { serviceTime } from '../device/service-time.ts';
import { currentSession, type StoredSession, storeSession } from '../device/stored-session.ts';
import type { SessionReply } from '../wire.ts';
import { request } from './api.ts';

let isPaused = false;
/** While recovery codes are on the screen: a session that now needs the new passkey would show another page. */
export const pauseRefresh = (pause: boolean): void => {
  isPaused = pause;
};

export async function refreshSession(): Promise<StoredSession | null> {
  const before = currentSession.get();
  if (!before || before.expired || isPaused) return before;
  const reply = await request<SessionReply>('GET', '/api/auth/session', { token: before.token });
  // Someone may have signed out or in while the answer was on its way.
  if (currentSession.get()?.token === before.token) {
    storeSession({ ...before, ...reply, at: serviceTime(), refreshedAt: now() });
  }
  return currentSession.get();
}

/** Asks the service, which refuses with the same status whoever waits for approval and whoever lacks a right. */
export async function isStillApproved(): Promise<boolean> {
  const after = await refreshSession().catch(() => null);
  return after !== null && after.user.approvalStatus === 'APPROVED';
}
