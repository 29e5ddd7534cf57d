/** Numbers as people type them. Browser-safe. */
import { toLatinDigits } from './latin-digits.ts';

/**
 * Reads a number in digits of any script, with a decimal comma or point; null if it isn't one, or has more decimals
 * than `decimals`. If fewer than three decimals are allowed, a separator before exactly three digits is a thousands
 * separator.
 */
export function readNumber(text: string, decimals = Number.POSITIVE_INFINITY): number | null {
  const plain = toLatinDigits(text.trim())
    .replace(/^[−–]/, '-')
    .replace(decimals < 3 ? /[\s'’٬.,٫،](?=\d{3}(?!\d))/g : /[\s'’٬](?=\d{3}(?!\d))/g, '')
    .replace(/[,٫،]/, '.');
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(plain) || (plain.split('.')[1] ?? '').length > decimals) return null;
  return Number(plain);
}

/** The number as JavaScript writes it, or the text itself if it can't be read as one. */
export function normalizeNumberText(text: string, decimals?: number): string {
  const number = readNumber(text, decimals);
  return number === null ? text.trim() : String(number);
}
