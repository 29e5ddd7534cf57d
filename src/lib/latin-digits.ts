/** The decimal digits of every script as 0 to 9; the rest stays. */
export const latinDigits = (text: string): string => text.replace(/\p{Nd}/gu, latinDigit);

/** In every script the decimal digits are consecutive, from zero to nine. */
function latinDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(at - value - 1))) value += 1;
  return String(value);
}
