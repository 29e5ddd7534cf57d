/** Which sessions need a second factor: a passkey, or a recovery code instead. */
import type { UserRecord, UserSession } from './model.ts';
import type { SecondFactorMode, SecondFactorStatus } from './schema.ts';

type Person = Pick<UserRecord, 'role' | 'permissions' | 'passkeys'>;
type Session = Pick<UserSession, 'method' | 'secondFactor'> | undefined;

/** Everyone with rights over other people's work. */
const needsPasskey = ({ role, permissions }: Person) =>
  role !== 'VOLUNTEER' || (permissions ?? []).length > 0;

export const hasPasskey = ({ passkeys = [] }: Pick<UserRecord, 'passkeys'>): boolean => passkeys.length > 0;

/**
 * What the session's owner must do before anything else. A colleague who created the code could use it too, so a
 * session started with it can neither confirm nor add a passkey; nor can a session whose method is unknown.
 */
export function secondFactorStateOf(
  user: Person,
  session: Session,
  mode: SecondFactorMode,
): SecondFactorStatus {
  if (session?.secondFactor) return 'VERIFIED';
  const isNeeded = hasPasskey(user) || (mode === 'REQUIRED' && needsPasskey(user));
  if (mode === 'OFF' || !isNeeded) return 'NOT_NEEDED';
  if (session?.method !== 'message') return 'SIGN_IN_AGAIN';
  return hasPasskey(user) ? 'VERIFY' : 'ENROLL';
}

/** Approved accounts without a passkey that would be locked out if the study required a second factor. */
export const LACKS_NEEDED_PASSKEY_FILTER = {
  approvalStatus: 'APPROVED',
  'passkeys.0': { $exists: false },
  $or: [{ role: { $ne: 'VOLUNTEER' } }, { 'permissions.0': { $exists: true } }],
} as const;
