/**
 * Files in the age format (age-encryption.org/v1, C2SP), for X25519 recipients only. Synchronous, because a row is
 * encrypted and written in one transaction of the store, which ends if anything is awaited. docs/decisions explains
 * why the library that the service uses isn't used here.
 */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32 } from '@scure/base';

const VERSION = 'age-encryption.org/v1';
const X25519_LABEL = 'age-encryption.org/v1/X25519';
const IDENTITY_PREFIX = 'age-secret-key-';
const RECIPIENT_PREFIX = 'age';
const FILE_KEY_BYTES = 16;
const NONCE_BYTES = 16;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const ZERO_NONCE = new Uint8Array(12);

type Bytes = Uint8Array<ArrayBuffer>;

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const random = (count: number): Bytes => crypto.getRandomValues(new Uint8Array(count));
const derive = (secret: Uint8Array, salt: Uint8Array | undefined, label: string) =>
  hkdf(sha256, secret, salt, utf8(label), KEY_BYTES);

function join(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** One call takes only so many arguments. */
const MAX_CALL_BYTES = 8_192;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += MAX_CALL_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + MAX_CALL_BYTES));
  return btoa(text);
}

export const fromBase64 = (text: string): Bytes =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Base64 in age headers is unpadded. */
const toBase64NoPad = (bytes: Uint8Array) => toBase64(bytes).replace(/=+$/, '');

function decode(text: string, prefix: string): Uint8Array {
  const { prefix: hrp, bytes } = bech32.decodeToBytes(text);
  if (hrp.toLowerCase() !== prefix || bytes.length !== KEY_BYTES) throw new Error(`not a key: ${hrp}`);
  return bytes;
}

/** A secret key: `AGE-SECRET-KEY-1…`. */
export const newAgeIdentity = (): string =>
  bech32.encodeFromBytes(IDENTITY_PREFIX, random(KEY_BYTES)).toUpperCase();

/** Its public key: `age1…`. */
export const ageRecipientOf = (identity: string): string =>
  bech32.encodeFromBytes(RECIPIENT_PREFIX, x25519.getPublicKey(decode(identity, IDENTITY_PREFIX)));

function stanza(fileKey: Uint8Array, recipient: string): string {
  const reader = decode(recipient, RECIPIENT_PREFIX);
  const secret = random(KEY_BYTES);
  const share = x25519.getPublicKey(secret);
  const key = derive(x25519.getSharedSecret(secret, reader), join(share, reader), X25519_LABEL);
  const body = chacha20poly1305(key, ZERO_NONCE).encrypt(fileKey);
  return `-> X25519 ${toBase64NoPad(share)}\n${toBase64NoPad(body)}\n`;
}

const macOf = (fileKey: Uint8Array, header: string) =>
  toBase64NoPad(hmac(sha256, derive(fileKey, undefined, 'header'), utf8(header)));

/**
 * For successive versions of one thing: encrypts each call's content for these recipients. All files share one
 * header, which is the slow part; each has its own nonce and thus its own key.
 */
export function createAgeEncrypter(recipients: readonly string[]): (content: Uint8Array) => Bytes {
  const fileKey = random(FILE_KEY_BYTES);
  const stanzas = recipients.map((recipient) => stanza(fileKey, recipient)).join('');
  const signed = `${VERSION}\n${stanzas}---`;
  const header = utf8(`${signed} ${macOf(fileKey, signed)}\n`);
  return (content) => {
    const nonce = random(NONCE_BYTES);
    return join(header, nonce, ...encryptChunks(derive(fileKey, nonce, 'payload'), content));
  };
}

function chunkNonce(counter: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, counter);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function encryptChunks(key: Uint8Array, content: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(content.length / CHUNK_BYTES));
  return Array.from({ length: count }, (_, index) =>
    chacha20poly1305(key, chunkNonce(index, index === count - 1)).encrypt(
      content.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
    ),
  );
}

function decryptChunks(key: Uint8Array, content: Uint8Array): Bytes {
  const whole = CHUNK_BYTES + TAG_BYTES;
  const count = Math.max(1, Math.ceil(content.length / whole));
  return join(
    ...Array.from({ length: count }, (_, index) =>
      chacha20poly1305(key, chunkNonce(index, index === count - 1)).decrypt(
        content.subarray(index * whole, (index + 1) * whole),
      ),
    ),
  );
}

/** Maximum number of cached file keys: a list shows the same files again and again. */
const MAX_FILE_KEYS = 200;

/** Decrypts files for this identity; throws if a file is damaged or meant for someone else. */
export function decrypter(identity: string): (file: Uint8Array) => Bytes {
  const secret = decode(identity, IDENTITY_PREFIX);
  const reader = x25519.getPublicKey(secret);
  const fileKeys = new Map<string, Uint8Array>();
  const fileKeyIn = (header: string): Uint8Array => {
    const cachedKey = fileKeys.get(header);
    if (cachedKey) return cachedKey;
    const [, signed = '', mac] = /^([\s\S]*\n---) (\S+)\n$/.exec(header) ?? [];
    for (const [, share = '', body = ''] of signed.matchAll(/^-> X25519 (\S+)\n(\S+)$/gm)) {
      const fileKey = unwrap(secret, reader, fromBase64(share), fromBase64(body));
      if (!fileKey) continue;
      if (macOf(fileKey, signed) !== mac) break;
      if (fileKeys.size >= MAX_FILE_KEYS) fileKeys.clear();
      fileKeys.set(header, fileKey);
      return fileKey;
    }
    throw new Error('damaged, or for other readers');
  };
  return (file) => {
    const end = headerEnd(file);
    const fileKey = fileKeyIn(String.fromCharCode(...file.subarray(0, end)));
    const nonce = file.subarray(end, end + NONCE_BYTES);
    return decryptChunks(derive(fileKey, nonce, 'payload'), file.subarray(end + NONCE_BYTES));
  };
}

/** No file here has more than a few recipients. */
const MAX_HEADER_BYTES = 4_096;
const NEWLINE = 10;

/** The header ends with the line that starts with three dashes. */
function headerEnd(file: Uint8Array): number {
  const start = String.fromCharCode(...file.subarray(0, MAX_HEADER_BYTES));
  const last = start.startsWith(`${VERSION}\n`) ? start.indexOf('\n---') : -1;
  const end = last < 0 ? -1 : file.indexOf(NEWLINE, last + 1);
  if (end < 0) throw new Error('not an age file');
  return end + 1;
}

function unwrap(
  secret: Uint8Array,
  reader: Uint8Array,
  share: Uint8Array,
  body: Uint8Array,
): Uint8Array | null {
  try {
    const key = derive(x25519.getSharedSecret(secret, share), join(share, reader), X25519_LABEL);
    return chacha20poly1305(key, ZERO_NONCE).decrypt(body);
  } catch {
    return null;
  }
}
