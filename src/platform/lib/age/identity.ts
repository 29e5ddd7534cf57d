/** Age keys: the secret one (`AGE-SECRET-KEY-1…`, the identity) and the public one (`age1…`, the recipient). */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { bech32 } from '@scure/base';

export interface AgeKeyPair {
  /** Derived from the recipient, so that all processes use the same id for a key. */
  id: string;
  recipient: string;
  privateKey: KeyObject;
  /** 32 bytes, as in the recipient. */
  publicKey: Buffer;
}

const PREFIX = 'AGE-SECRET-KEY-';
/** The bytes before the 32 bytes of an X25519 key in PKCS #8. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** A new identity, as age-keygen writes it. */
export function newAgeIdentity(): string {
  const { privateKey } = generateKeyPairSync('x25519');
  const scalar = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(PKCS8_HEAD.length);
  return bech32.encodeFromBytes(PREFIX, scalar).toUpperCase();
}

/** Null if it is not an X25519 identity. */
export function parseAgeIdentity(text: string): AgeKeyPair | null {
  const scalar = scalarOf(text);
  if (!scalar) return null;
  const key = Buffer.concat([PKCS8_HEAD, scalar]);
  const privateKey = createPrivateKey({ key, type: 'pkcs8', format: 'der' });
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32);
  const recipient = bech32.encodeFromBytes('age', publicKey);
  const id = createHash('sha256').update(recipient).digest('hex').slice(0, 16);
  return { id, recipient, privateKey, publicKey };
}

function scalarOf(text: string): Uint8Array | null {
  const decoded =
    text === text.toUpperCase() ? bech32.decodeUnsafe(text as `${string}1${string}`) : undefined;
  const scalar = decoded && bech32.fromWordsUnsafe(decoded.words);
  return scalar && decoded.prefix.toUpperCase() === PREFIX && scalar.length === 32 ? scalar : null;
}
