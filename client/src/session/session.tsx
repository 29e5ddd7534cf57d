/** The signed-in user and their permissions, as the service last reported them, renewed whenever it can be reached. */
import type { AnyMongoAbility } from '@casl/ability';
import { useMemo, useSyncExternalStore } from 'react';
import { now } from '../device/clock.ts';
import { latestServiceTime } from '../device/service-time.ts';
import {
  currentSession,
  type DeviceSession,
  sessionAwaitingPin,
  storeDeviceSession,
} from '../device/stored-session.ts';
import { currentWorkspace, type PersonScope } from '../device/workspace.ts';
import type { SessionReply, User } from '../wire.ts';
import { request } from './api.ts';
import { abilityOf, asPermissionSubject, mayCreate, readsAll } from './rights.ts';

/**
 * After a code was accepted. The rules come from the session route, which also serves people who aren't approved yet.
 */
export async function signInWithToken(token: string, address?: string): Promise<void> {
  const reply = await request<SessionReply>('GET', '/api/auth/session', { token });
  const next = { ...reply, at: latestServiceTime(), token, expired: false, refreshedAt: now() };
  const { needsDeviceLock: needsLock } = await import('./needs-lock.ts');
  if (await needsLock(next)) {
    if (address) history.replaceState(null, '', address);
    sessionAwaitingPin.set(next);
    return;
  }
  storeDeviceSession(next);
  // The previous workspace's pages are gone; navigation starts again here.
  if (address) history.replaceState(null, '', address);
}

/** Stores a changed user record that the service just returned. */
export function storeSessionUser(user: User): void {
  const stored = currentSession.get();
  if (stored?.user.id === user.id) storeDeviceSession({ ...stored, user });
}

export function useSession(): DeviceSession | null {
  return useSyncExternalStore(currentSession.watch, currentSession.get);
}

/** For pages that require someone to be signed in. */
export function useUser(): User {
  const stored = useSession();
  if (!stored) throw new Error('this page needs someone who is signed in');
  return stored.user;
}

/** The current person's workspace. */
export const useWorkspace = (): PersonScope =>
  useSyncExternalStore(currentWorkspace.watch, currentWorkspace.get);

export interface SignInState {
  /** Where to go after signing in, and for whom; without `owner`, for anyone. */
  next?: string;
  owner?: string | undefined;
  phone?: string;
}

export const pageAfterSignIn = ({ next, owner }: SignInState, user: User): string =>
  next && (!owner || owner === user.id) ? next : '/';

export function useAbility(): AnyMongoAbility {
  const rules = useSession()?.rules;
  return useMemo(() => abilityOf(rules), [rules]);
}

/** Whether this person may do this with this record. */
export const useMay = (action: string, name: string, record: object): boolean =>
  useAbility().can(action, asPermissionSubject(name, record));

export const useReadsAll = (name: string): boolean => readsAll(useAbility(), name);

/** Whether this person may create such a record at this site. */
export function useMayCreate(name: string): (location: string | null) => boolean {
  const now = useSession();
  return (location) => now !== null && mayCreate(now, name, { location });
}
