/** Decides how a session is stored. Loaded with the first sign-in. */
import { canSeal } from '../device/can-seal.ts';
import { findLockRow, lockState } from '../device/lock/lock.ts';
import { storeOfflineCopy } from '../device/store/offline-copies.ts';
import { noStoreReason } from '../device/store/open-store.ts';
import type { DeviceSession } from '../device/stored-session.ts';
import type { Study } from '../wire.ts';
import { RequestRefusal, request } from './api.ts';

/** Whether a PIN has to be chosen or entered before this session is stored. */
export async function needsDeviceLock({ user, token }: DeviceSession): Promise<boolean> {
  const current = lockState.get();
  if (current.is === 'open' && current.owner === user.id) return false;
  if (!canSeal() || noStoreReason.get()) return false;
  const row = await findLockRow(user.id);
  if (user.approvalStatus !== 'APPROVED') return row !== undefined;
  const study = await request<Study>('GET', '/api/study', { token }).catch((error: unknown) => {
    // The second factor comes first; the PIN is chosen afterwards, on Home.
    if (error instanceof RequestRefusal && error.status === 403) return null;
    throw error;
  });
  if (study) await storeOfflineCopy('study', study);
  return row !== undefined || study?.deviceLock === 'PIN';
}
