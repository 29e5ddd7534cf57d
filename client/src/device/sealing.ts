/**
 * Encrypts what people answered: the result is the base64 of an age file of JSON. Synchronous, so that a row is
 * encrypted and stored in one transaction. Load it lazily (`loadSealingModule` in person-key.ts): the sign-in page
 * doesn't need it.
 */
import { parseJsonOrNull } from '../../../src/platform/lib/objects/parse-json.ts';
import {
  ageRecipientOf,
  createAgeEncrypter,
  decrypter,
  fromBase64,
  newAgeIdentity,
  toBase64,
} from './age.ts';

export { ageRecipientOf, newAgeIdentity };

export type SealedPayload = Record<string, unknown>;
export type FieldSealer = (fields: SealedPayload) => string;
/** Null if the data is damaged or encrypted for someone else. */
export type OpenSealed = (sealed: string) => SealedPayload | null;

/** For many versions of one row: the header, the costly part, is created once. */
export function sealer(recipients: readonly string[]): FieldSealer {
  const encrypt = createAgeEncrypter(recipients);
  return (fields) => toBase64(encrypt(new TextEncoder().encode(JSON.stringify(fields))));
}

export const seal = (fields: SealedPayload, recipients: readonly string[]): string =>
  sealer(recipients)(fields);

/**
 * For many rows of one person: caches file keys, so rows are faster to decrypt again. Drop it when the key is locked.
 */
export function createSealOpener(identity: string): OpenSealed {
  const decrypt = decrypter(identity);
  return (sealed) => {
    try {
      return parseJsonOrNull(new TextDecoder().decode(decrypt(fromBase64(sealed)))) as SealedPayload | null;
    } catch {
      return null;
    }
  };
}

export const openSealedFields = (sealed: string, identity: string): SealedPayload | null =>
  createSealOpener(identity)(sealed);
