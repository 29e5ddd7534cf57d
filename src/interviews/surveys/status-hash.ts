/** The hash of the secret of a person's own page. An invalid hash never prevents storing the interview. */
import { isSha256Hex } from '../../coupons/referral-codes/secret.ts';
import { violatedIndex } from '../../platform/http/problems/errors.ts';
import { type FlagRecord, newFlag } from './model.ts';

type Stored = { statusHash?: string; flags: FlagRecord[] };

/** The fields to store for a hash in a request. */
export function statusHashFieldsOf(hash: string | undefined, now: Date): Stored {
  if (hash === undefined) return { flags: [] };
  if (!isSha256Hex(hash)) return { flags: [newFlag('STATUS_REFUSED', null, now)] };
  return { statusHash: hash, flags: [] };
}

/**
 * Stores the interview again without its hash if another interview has the same. That is too rare to check first. An
 * empty text counts as a malformed hash.
 */
export async function dropTakenStatusHash<T>(
  hash: string | undefined,
  store: (statusHash: string | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await store(hash);
  } catch (error) {
    if (violatedIndex(error) !== 'status_hash_once') throw error;
    return await store('');
  }
}
