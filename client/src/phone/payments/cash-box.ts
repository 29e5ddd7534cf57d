import { decimalsOf } from '../../../../src/platform/lib/decimals.ts';
import { readNumber } from '../../../../src/platform/lib/text/read-number.ts';

/** Reads an amount with no more decimals than `like`; null if it isn’t one. */
export function parseAmountLike(text: string, like: string): number | null {
  const amount = readNumber(text, decimalsOf(like));
  return amount === null || amount < 0 ? null : amount;
}

/** With as many decimals as another amount: "39.90" like "60.10". */
export const formatAmountLike = (other: string, value: number): string => value.toFixed(decimalsOf(other));
