/** Asks the service for the signed-in person's current data. */
import { now } from '../device/clock.ts';
import { latestServiceTime } from '../device/service-time.ts';
import { currentSession, type DeviceSession, storeDeviceSession } from '../device/stored-session.ts';
import type { SessionReply } from '../wire.ts';
import { request } from './api.ts';

let isPaused = false;
/** Paused while recovery codes are shown: a session that now requires the new passkey would open another page. */
export const setSessionRefreshPaused = (pause: boolean): void => {
  isPaused = pause;
};

export async function refreshSession(): Promise<DeviceSession | null> {
  const before = currentSession.get();
  if (!before || before.expired || isPaused) return before;
  const reply = await request<SessionReply>('GET', '/api/auth/session', { token: before.token });
  // Someone may have signed in or out meanwhile.
  if (currentSession.get()?.token === before.token) {
    storeDeviceSession({ ...before, ...reply, at: latestServiceTime(), refreshedAt: now() });
  }
  return currentSession.get();
}

/**
 * The service replies with the same status to people who aren't approved and to people who lack a permission, so this
 * asks which it is.
 */
export async function isStillApproved(): Promise<boolean> {
  const after = await refreshSession().catch(() => null);
  return after !== null && after.user.approvalStatus === 'APPROVED';
}
