/**
 * The secret for the person's own page, generated on the device, even offline. The service only ever gets its hash.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { generateStatusSecret } from '../../../../src/coupons/referral-codes/secret.ts';

/** Reuses the person's existing secret if the interview is being corrected. */
export function getOrCreateStatusPageSecret(existing?: string): { secret: string; statusHash: string } {
  const secret = existing ?? generateStatusSecret((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
  return { secret, statusHash: bytesToHex(sha256(utf8ToBytes(secret))) };
}
