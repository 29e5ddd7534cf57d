import { currencyDecimals } from '../study/incentives.ts';

/** A sum of amounts as an amount; null without a currency. */
export const toAmount = (sum: number, currency: string | null): string | null =>
  currency === null ? null : sum.toFixed(currencyDecimals(currency));
