/** The hash of the secret of a person's own page: a bad one never costs the interview. */
import { isStatusHash } from '../../coupons/referral-codes/secret.ts';
import { violatedIndex } from '../../platform/http/problems/errors.ts';
import { type FlagRecord, newFlag } from './model.ts';

type Stored = { statusHash?: string; flags: FlagRecord[] };

/** What is stored of a hash that was sent. */
export function statusHashOf(hash: string | undefined, now: Date): Stored {
  if (hash === undefined) return { flags: [] };
  if (!isStatusHash(hash)) return { flags: [newFlag('STATUS_REFUSED', null, now)] };
  return { statusHash: hash, flags: [] };
}

/**
 * Stores the interview once more without its hash if another one has it: rare enough that nobody looks first. The empty
 * text is a malformed hash.
 */
export async function withFreeStatusHash<T>(
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
