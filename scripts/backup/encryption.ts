/** Encrypted backups in age format: written for a public key, read with the file of the secret key. */
import { open, readFile } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';

const MAGIC = Buffer.from('age-encryption.org/');
type Bytes = AsyncIterable<Uint8Array>;

/** A refusal in one sentence. */
export class BadKey extends Error {}

/** Throws BadKey unless it is an age public key. */
export function encrypterFor(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new BadKey('This is not an age public key (age1…).');
  }
  return encrypter;
}

/** For a pipeline: chunk by chunk, however large the backup is. */
export const encryptWith = (encrypter: Encrypter) =>
  async function* (plain: Bytes): Bytes {
    yield* (await encrypter.encrypt(webStream(plain))) as unknown as Bytes;
  };

export async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return bytesRead === MAGIC.length && buffer.equals(MAGIC);
  } finally {
    await file.close();
  }
}

/** As age-keygen writes the file: a secret key on each line that is no comment. */
export async function decrypterOf(path: string): Promise<Decrypter> {
  const decrypter = new Decrypter();
  const lines = (await readFile(path, 'latin1')).split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  try {
    if (keys.length === 0) throw new Error('no key');
    for (const key of keys) decrypter.addIdentity(key);
  } catch {
    throw new BadKey(`${path} is not an age identity file (AGE-SECRET-KEY-…).`);
  }
  return decrypter;
}

/** For a pipeline. Throws BadKey for a key that does not fit, and DamagedEncryption. */
export const decryptWith = (decrypter: Decrypter) =>
  async function* (sealed: Bytes): Bytes {
    try {
      yield* (await decrypter.decrypt(webStream(sealed))) as unknown as Bytes;
    } catch (error) {
      if (/no identity matched/.test(String(error)))
        throw new BadKey('The backup was encrypted for another key than that of --identity.');
      throw new DamagedEncryption();
    }
  };

export class DamagedEncryption extends Error {}

/** age's types are those of browsers. */
const webStream = (bytes: Bytes) =>
  ReadableStream.from(bytes) as unknown as globalThis.ReadableStream<Uint8Array>;
