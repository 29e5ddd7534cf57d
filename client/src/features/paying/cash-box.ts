import { decimalsOf } from '../../../../src/lib/decimals.ts';
import { latinDigits } from '../../../../src/lib/latin-digits.ts';

/**
 * Reads an amount typed in European, Arabic or Persian digits; null if it isn’t one. It has no more decimals than `like`.
 * Unless those are three, a separator before exactly three digits is that of thousands.
 */
export function amountIn(text: string, like: string): number | null {
  const decimals = decimalsOf(like);
  const plain = latinDigits(text.trim())
    .replace(decimals === 3 ? /٬/g : /[.,٫٬](?=\d{3}(?!\d))/g, '')
    .replace(/[,٫]/, '.');
  return new RegExp(`^\\d+(\\.\\d{0,${decimals}})?$`).test(plain) ? Number(plain) : null;
}

/** With the decimals of another amount: "39.90" like "60.10". */
export const amountLike = (other: string, value: number): string => value.toFixed(decimalsOf(other));
