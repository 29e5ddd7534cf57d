/**
 * The secret of a respondent's own page: sixteen characters of the code alphabet, 80 bits, created on the phone at the
 * end of an interview. The service only ever stores its hash. Browser-safe.
 */
import { ALPHABET, stripSeparators } from './code.ts';

export const PAGE_SECRET_LENGTH = 16;
const GROUP_LENGTH = 4;
const MAX_INPUT = 64;

/** From a cryptographic random source. 256 is a multiple of 32, so all characters are equally likely. */
export const generateStatusSecret = (random: (bytes: number) => Uint8Array): string =>
  Array.from(random(PAGE_SECRET_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');

/**
 * The sixteen characters as typed: any case, spaces and hyphens anywhere, O for 0, I and L for 1; null if malformed.
 */
export function normalizePageSecret(text: string): string | null {
  if (text.length > MAX_INPUT) return null;
  const bare = stripSeparators(text);
  if (!/^[0-9A-Za-z]{16}$/.test(bare)) return null;
  const secret = bare.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return secret.includes('U') ? null : secret;
}

/** As shown and printed: four groups of four. */
export const formatSecret = (secret: string): string =>
  Array.from({ length: PAGE_SECRET_LENGTH / GROUP_LENGTH }, (_, at) =>
    secret.slice(at * GROUP_LENGTH, (at + 1) * GROUP_LENGTH),
  ).join('-');

/** SHA-256 in hexadecimal. */
export const isSha256Hex = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
