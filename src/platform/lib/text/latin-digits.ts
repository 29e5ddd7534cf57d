/** Replaces decimal digits of any script with 0 to 9; the rest stays unchanged. */
export const toLatinDigits = (text: string): string => text.replace(/\p{Nd}/gu, latinDigit);

/**
 * In every script the decimal digits are consecutive, from zero to nine, but some scripts directly follow each other.
 */
function latinDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(at - before - 1))) before += 1;
  return String(before % 10);
}
