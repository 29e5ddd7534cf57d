/**
 * What people answered, sealed: the base64 of an age file of JSON. Nothing here waits, so that a row is sealed and stored
 * in one transaction. Load it lazily (`importSealing` in person-key.ts): the page to sign in does without it.
 */
import { parsedJson } from '../../../src/platform/lib/objects/parsed-json.ts';
import { decrypter, encrypter, fromBase64, newIdentity, recipientOf, toBase64 } from './age.ts';

export { newIdentity, recipientOf };

export type SealedFields = Record<string, unknown>;
export type Seal = (fields: SealedFields) => string;
/** Null for what is damaged or sealed for others. */
export type OpenSealed = (sealed: string) => SealedFields | null;

/** For many versions of one row: the costly part, the header, is made once. */
export function sealer(recipients: readonly string[]): Seal {
  const encrypt = encrypter(recipients);
  return (fields) => toBase64(encrypt(new TextEncoder().encode(JSON.stringify(fields))));
}

export const seal = (fields: SealedFields, recipients: readonly string[]): string =>
  sealer(recipients)(fields);

/** For many rows of one person: what was opened once opens at once. Drop it when the key is locked. */
export function createOpener(identity: string): OpenSealed {
  const decrypt = decrypter(identity);
  return (sealed) => {
    try {
      return parsedJson(new TextDecoder().decode(decrypt(fromBase64(sealed)))) as SealedFields | null;
    } catch {
      return null;
    }
  };
}

export const open = (sealed: string, identity: string): SealedFields | null => createOpener(identity)(sealed);
