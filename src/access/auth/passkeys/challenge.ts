/**
 * What an authenticator signs, so that a response can't be used again or elsewhere. Anyone may request challenges, so
 * they aren't stored: each contains its expiry and a keyed hash of the expiry and its purpose. Only challenges that
 * were answered correctly are stored (used-challenges.ts).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../platform/config.ts';

const RANDOM_BYTES = 18;
const TIME_BYTES = 6;
export const CHALLENGE_LIFETIME_MS = 300_000;

/** Signing in, or creating a passkey for the owner with this id. */
type Ceremony = 'sign-in' | `create ${string}`;

const signatureOf = ({ jwtSecret }: Config, ceremony: Ceremony, head: Buffer) =>
  createHmac('sha256', jwtSecret).update(`passkey challenge, ${ceremony}: `).update(head).digest();

export function newChallenge(config: Config, ceremony: Ceremony, now: Date): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(now.getTime() + CHALLENGE_LIFETIME_MS, 0, TIME_BYTES);
  const head = Buffer.concat([randomBytes(RANDOM_BYTES), time]);
  return new Uint8Array(Buffer.concat([head, signatureOf(config, ceremony, head)]));
}

export function isValidChallenge(config: Config, ceremony: Ceremony, challenge: string, now: Date): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
  const [signature, expected] = [bytes.subarray(head.length), signatureOf(config, ceremony, head)];
  // Only one encoding is accepted, because used challenges are looked up by it.
  const isOurs = bytes.toString('base64url') === challenge && signature.length === expected.length;
  return (
    isOurs &&
    timingSafeEqual(signature, expected) &&
    head.readUIntBE(RANDOM_BYTES, TIME_BYTES) > now.getTime()
  );
}
