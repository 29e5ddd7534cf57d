/** The keys for which phones encrypt answers (FIELD_KEY, FIELD_KEYS_PREVIOUS). */
import type { Config } from '../../platform/config.ts';
import { type AgeKeyPair, parseAgeIdentity } from '../../platform/lib/age/identity.ts';

type Keys = Pick<Config, 'fieldKey' | 'fieldKeysPrevious'>;

const parsed = new Map<string, AgeKeyPair>();

/** Cached, because deriving the public key takes longer than decrypting an interview. */
function identityOf(text: string): AgeKeyPair {
  const identity = parsed.get(text) ?? parseAgeIdentity(text);
  if (!identity) throw new Error('FIELD_KEY is no age identity');
  parsed.set(text, identity);
  return identity;
}

/** All keys that can decrypt, the current one first. */
export const fieldDecryptionKeys = ({ fieldKey, fieldKeysPrevious }: Keys): AgeKeyPair[] =>
  [fieldKey, ...fieldKeysPrevious].map(identityOf);

/** What phones need to encrypt. */
export function fieldPublicKeyOf({ fieldKey }: Keys): { id: string; recipient: string } {
  const { id, recipient } = identityOf(fieldKey);
  return { id, recipient };
}
