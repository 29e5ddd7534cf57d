/** Which sessions need a second factor: a passkey, or a recovery code in its place. */
import type { UserRecord, UserSession } from './model.ts';
import type { SecondFactor, SecondFactorMode } from './schema.ts';

type Person = Pick<UserRecord, 'role' | 'permissions' | 'passkeys'>;
type Session = Pick<UserSession, 'method' | 'secondFactor'> | undefined;

/** Everybody with rights over the work of others. */
const isConcerned = ({ role, permissions }: Person) => role !== 'VOLUNTEER' || (permissions ?? []).length > 0;

export const hasPasskey = ({ passkeys = [] }: Pick<UserRecord, 'passkeys'>): boolean => passkeys.length > 0;

/**
 * What the session's owner has to do before anything else. A colleague who made the code could use it too, so such a
 * session neither confirms nor adds a passkey; nor does one of which nothing is known.
 */
export function secondFactorOf(user: Person, session: Session, mode: SecondFactorMode): SecondFactor {
  if (session?.secondFactor) return 'VERIFIED';
  const isNeeded = hasPasskey(user) || (mode === 'REQUIRED' && isConcerned(user));
  if (mode === 'OFF' || !isNeeded) return 'NOT_NEEDED';
  if (session?.method !== 'message') return 'SIGN_IN_AGAIN';
  return hasPasskey(user) ? 'VERIFY' : 'ENROLL';
}

/** Approved accounts that a study which requires a second factor would keep out until they have a passkey. */
export const LACKS_NEEDED_PASSKEY = {
  approvalStatus: 'APPROVED',
  'passkeys.0': { $exists: false },
  $or: [{ role: { $ne: 'VOLUNTEER' } }, { 'permissions.0': { $exists: true } }],
} as const;
