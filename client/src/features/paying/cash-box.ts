import { decimalsOf } from '../../../../src/lib/decimals.ts';

/** Reads an amount typed in European, Arabic or Persian digits; null if it isn’t one. */
export function amountIn(text: string): number | null {
  const plain = text
    .trim()
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/[,٫]/, '.');
  return /^\d+(\.\d*)?$/.test(plain) ? Number(plain) : null;
}

/** With the decimals of another amount: "39.90" like "60.10". */
export const amountLike = (other: string, value: number): string => value.toFixed(decimalsOf(other));
