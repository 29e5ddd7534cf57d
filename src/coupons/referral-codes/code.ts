/**
 * Referral codes: eight characters, the last of which is a check character. Browser-safe, so that mistyped codes are
 * noticed offline too.
 *
 * Characters are the elements of GF(32), with x^5 + x^2 + 1 and a = 2 as the generator. A code c0...c7 is well formed
 * if the sum of a^(7-i) * ci is 0. All weights differ and none is 0, so every single wrong character and every swap of
 * two different neighbors is detected.
 */

/** Without I, L, O and U, which look like 1, 1, 0 and V. */
export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const PAYLOAD_LENGTH = 7;
export const CODE_LENGTH = PAYLOAD_LENGTH + 1;
const MAX_INPUT = 64;

function valueIn(character: string): number {
  const value = ALPHABET.indexOf(character);
  if (value < 0) throw new RangeError('not a character of a referral code');
  return value;
}

/** x * a in GF(32). */
function timesA(x: number): number {
  const doubled = x << 1;
  return doubled & 0b100000 ? doubled ^ 0b100101 : doubled;
}

/** The check character for these seven characters. */
export function checkCharacterOf(seven: string): string {
  if (seven.length !== PAYLOAD_LENGTH) throw new RangeError('a check character belongs to seven characters');
  // Horner's rule; addition and subtraction are both XOR, so the sum is the check value itself.
  let sum = 0;
  for (const character of seven) sum = timesA(sum ^ valueIn(character));
  return ALPHABET.charAt(sum);
}

/** Removes spaces and hyphens. */
export const stripSeparators = (text: string): string => text.replace(/[\s\p{Dash_Punctuation}]/gu, '');

/**
 * The canonical eight characters of a typed code: any case, spaces and hyphens anywhere, O for 0 and I or L for 1; null
 * if it is malformed.
 */
export function parseCode(text: string): string | null {
  if (text.length > MAX_INPUT) return null;
  const bare = stripSeparators(text);
  // Before changing case, because some non-ASCII letters have ASCII capitals.
  if (!/^[0-9A-Za-z]{8}$/.test(bare)) return null;
  const code = bare.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  if (code.includes('U')) return null;
  return checkCharacterOf(code.slice(0, PAYLOAD_LENGTH)) === code.charAt(PAYLOAD_LENGTH) ? code : null;
}

/** The canonical code, or the text itself if it is malformed. */
export const plainCode = (text: string): string => parseCode(text) ?? text;

/** As shown and printed: ABCD-EFGC. */
export function formatCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

const MONTHS = 'JAN|FEB|MAR|MARCH|APR|MAY|SEP|SEPT|DEC';
const NUMBERS = [
  /^\d+$/,
  // 57658E62; Fortran-style readers also treat D as an exponent.
  /^\d+[DE]\d+$/,
  // Hexadecimal to R and JavaScript.
  /^0X/,
  // 1MAR2026, SEPT2026, 2026DEC1.
  new RegExp(`^\\d*(${MONTHS})\\d+$`),
];

/**
 * Excel, R and others would read it as a number or a date. Such codes are no longer created; existing ones stay valid.
 */
export const readsAsNumber = (code: string): boolean => NUMBERS.some((pattern) => pattern.test(code));

/** A new code from a cryptographic random source. 256 is a multiple of 32, so all characters are equally likely. */
export function generateCode(random: (bytes: number) => Uint8Array): string {
  const seven = Array.from(random(PAYLOAD_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');
  return seven + checkCharacterOf(seven);
}
