/**
 * Encrypts what people answered: the result is the base64 of an age file of JSON. Synchronous, so that a row is
 * encrypted and stored in one transaction. Load it lazily (`importSealing` in person-key.ts): the sign-in page
 * doesn't need it.
 */
import { parseJsonOrNull } from '../../../src/platform/lib/objects/parse-json.ts';
import { decrypter, encrypter, fromBase64, newIdentity, recipientOf, toBase64 } from './age.ts';

export { newIdentity, recipientOf };

export type SealedFields = Record<string, unknown>;
export type Seal = (fields: SealedFields) => string;
/** Null if the data is damaged or encrypted for someone else. */
export type OpenSealed = (sealed: string) => SealedFields | null;

/** For many versions of one row: the header, the costly part, is created once. */
export function sealer(recipients: readonly string[]): Seal {
  const encrypt = encrypter(recipients);
  return (fields) => toBase64(encrypt(new TextEncoder().encode(JSON.stringify(fields))));
}

export const seal = (fields: SealedFields, recipients: readonly string[]): string =>
  sealer(recipients)(fields);

/**
 * For many rows of one person: caches file keys, so rows are faster to decrypt again. Drop it when the key is locked.
 */
export function createOpener(identity: string): OpenSealed {
  const decrypt = decrypter(identity);
  return (sealed) => {
    try {
      return parseJsonOrNull(new TextDecoder().decode(decrypt(fromBase64(sealed)))) as SealedFields | null;
    } catch {
      return null;
    }
  };
}

export const open = (sealed: string, identity: string): SealedFields | null => createOpener(identity)(sealed);
