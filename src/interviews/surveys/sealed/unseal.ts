/**
 * Decrypts what somebody encrypted on a phone and can no longer open there, because the PIN was forgotten or the key is
 * gone. Only for that person, and only right after signing in, since the phone may have been stolen.
 */
import { audit } from '../../../platform/audit/model.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import type { AgeKeyPair } from '../../../platform/lib/age/identity.ts';
import { type Actor, authorFromActor } from '../../../platform/rights/actor.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import type { UnsealRequest } from '../schema.ts';
import { openSealedSubmission } from './open-sealed.ts';

const FRESH_SESSION_MS = 10 * 60_000;

export async function unsealAnswers(
  actor: Actor,
  body: UnsealRequest,
  keys: readonly AgeKeyPair[],
): Promise<object> {
  const { deviceLock } = await loadStudy();
  requireFreshSession(actor, deviceLock === 'PIN');
  const fields = openSealedSubmission({ ...body, owner: actor.user._id }, keys);
  await inTransaction(async (session) => {
    const event = { action: 'unseal', subject: 'User', record: actor.user._id } as const;
    await audit(session, authorFromActor(actor), { ...event, location: actor.user.location });
  }, actor.deadline);
  return fields;
}

/** If there is a PIN, signing in by SMS or call is not enough, because a stolen phone would receive the code. */
function requireFreshSession({ session, now }: Actor, isMessageRefused: boolean): void {
  const isFresh = session && now.getTime() - session.createdAt.getTime() < FRESH_SESSION_MS;
  const isOtherWay = session?.method === 'passkey' || session?.method === 'colleague';
  if (!isFresh || (isMessageRefused && !isOtherWay))
    throw problem('FORBIDDEN', { why: fault('FRESH_SIGN_IN') });
}
