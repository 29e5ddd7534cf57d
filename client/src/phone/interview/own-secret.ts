/** The secret of the person's own page, made here, also without a signal. The service only ever gets its hash. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { generateSecret } from '../../../../src/coupons/referral-codes/secret.ts';

/** With the one that the person already has, if the interview is corrected. */
export function ownSecret(existing?: string): { secret: string; statusHash: string } {
  const secret = existing ?? generateSecret((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
  return { secret, statusHash: bytesToHex(sha256(utf8ToBytes(secret))) };
}
