/**
 * Encrypts short texts (AES-256-GCM) and hashes them (HMAC-SHA-256), with keys derived from one secret that is never
 * stored with them. `context` names the record: a text sealed for one record can't be opened as another's.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** By secret, then by purpose. */
const derived = new Map<string, Map<string, KeyObject>>();

function keyOf(secret: string, purpose: string): KeyObject {
  const keys = derived.get(secret) ?? new Map<string, KeyObject>();
  const key = keys.get(purpose) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  derived.set(secret, keys.set(purpose, key));
  return key;
}

export function sealText(secret: string, context: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, 'seal'), iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64');
}

/** Null if it was sealed with another secret or for another record, or was modified. */
export function openSealedText(secret: string, context: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < IV_BYTES + TAG_BYTES) return null;
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, 'seal'), iv)
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

export const keyedHash = (secret: string, purpose: string, text: string): string =>
  createHmac('sha256', keyOf(secret, `hash ${purpose}`))
    .update(text)
    .digest('base64url');
