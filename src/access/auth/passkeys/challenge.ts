/**
 * What an authenticator signs, so that an answer can't be used again or elsewhere. Everybody may ask for challenges, so
 * they are not stored: each says when it expires, and carries a keyed hash of that and of what it is for. Only those that
 * were answered rightly are stored (used-challenges.ts).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../platform/config.ts';

const RANDOM_BYTES = 18;
const TIME_BYTES = 6;
export const CHALLENGE_LIFETIME_MS = 300_000;

/** A new passkey, by the id of its owner. */
type Ceremony = 'sign-in' | `create ${string}`;

const signatureOf = ({ jwtSecret }: Config, ceremony: Ceremony, head: Buffer) =>
  createHmac('sha256', jwtSecret).update(`passkey challenge, ${ceremony}: `).update(head).digest();

export function newChallenge(config: Config, ceremony: Ceremony, now: Date): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(now.getTime() + CHALLENGE_LIFETIME_MS, 0, TIME_BYTES);
  const head = Buffer.concat([randomBytes(RANDOM_BYTES), time]);
  return new Uint8Array(Buffer.concat([head, signatureOf(config, ceremony, head)]));
}

export function isChallenge(config: Config, ceremony: Ceremony, challenge: string, now: Date): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
  const [signature, expected] = [bytes.subarray(head.length), signatureOf(config, ceremony, head)];
  // In one spelling only, since used ones are found by it.
  const isOurs = bytes.toString('base64url') === challenge && signature.length === expected.length;
  return (
    isOurs &&
    timingSafeEqual(signature, expected) &&
    head.readUIntBE(RANDOM_BYTES, TIME_BYTES) > now.getTime()
  );
}
