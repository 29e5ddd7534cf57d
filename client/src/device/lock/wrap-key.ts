/**
 * Encrypts a person's key with a PIN or the phone's own lock, and the session with the person's key.
 * docs/threat-model.md says what a PIN protects against.
 */
import type { EncryptedData } from './lock.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface PinWrap extends EncryptedData {
  by: 'pin';
  salt: Bytes;
  iterations: number;
}

export interface PlatformWrappedKey extends EncryptedData {
  by: 'platform';
  credential: ArrayBuffer;
  salt: Bytes;
}

/** OWASP's recommendation for PBKDF2 with SHA-256. */
const PIN_ITERATIONS = 600_000;
const SALT_BYTES = 16;
const IV_BYTES = 12;

export const randomBytes = (count: number): Bytes => crypto.getRandomValues(new Uint8Array(count));
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const AES = { name: 'AES-GCM', length: 256 };

async function keyOfPin(pin: string, salt: Bytes, iterations: number): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', utf8(pin), 'PBKDF2', false, ['deriveKey']);
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return await crypto.subtle.deriveKey(derivation, material, AES, false, ['encrypt', 'decrypt']);
}

/** For a secret with full entropy. */
async function keyOfSecret(secret: Bytes | ArrayBuffer, info: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(info) };
  return await crypto.subtle.deriveKey(derivation, material, AES, false, ['encrypt', 'decrypt']);
}

async function encrypt(key: CryptoKey, text: string): Promise<EncryptedData> {
  const iv = randomBytes(IV_BYTES);
  return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(text)) };
}

async function decrypt(key: CryptoKey, { iv, data }: EncryptedData): Promise<string | null> {
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data));
  } catch {
    return null;
  }
}

export async function wrapByPin(identity: string, pin: string): Promise<PinWrap> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOfPin(pin, salt, PIN_ITERATIONS);
  return { by: 'pin', salt, iterations: PIN_ITERATIONS, ...(await encrypt(key, identity)) };
}

/** Null for a wrong PIN. */
export const unwrapByPin = async (wrap: PinWrap, pin: string): Promise<string | null> =>
  await decrypt(await keyOfPin(pin, wrap.salt, wrap.iterations), wrap);

const PLATFORM = 'platform';

/** `secret`: derived from the salt by the phone's authenticator, once its owner unlocked it. */
export async function wrapByPlatform(
  identity: string,
  registration: { credential: ArrayBuffer; salt: Bytes; secret: ArrayBuffer },
): Promise<PlatformWrappedKey> {
  const { credential, salt, secret } = registration;
  return {
    by: 'platform',
    credential,
    salt,
    ...(await encrypt(await keyOfSecret(secret, PLATFORM), identity)),
  };
}

export const unwrapByPlatform = async (
  wrap: PlatformWrappedKey,
  secret: ArrayBuffer,
): Promise<string | null> => await decrypt(await keyOfSecret(secret, PLATFORM), wrap);

export interface SessionCipher {
  seal(session: object): Promise<EncryptedData>;
  /** Null if it was encrypted with another key. */
  open(encrypted: EncryptedData): Promise<object | null>;
}

/** Encrypts and decrypts the session of this key's owner. */
export async function sessionCipher(identity: string): Promise<SessionCipher> {
  const key = await keyOfSecret(utf8(identity), 'session');
  return {
    seal: (session) => encrypt(key, JSON.stringify(session)),
    open: async (encrypted) => {
      const text = await decrypt(key, encrypted);
      return text === null ? null : (JSON.parse(text) as object);
    },
  };
}
