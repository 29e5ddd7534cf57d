/** Sums of amounts. */
import type { mongo } from 'mongoose';
import { currencyDecimals } from '../../study/settings/incentives.ts';

/** A sum of amounts as an amount; null without a currency. */
export const toAmount = (sum: number, currency: string | null): string | null =>
  currency === null ? null : sum.toFixed(currencyDecimals(currency));

export interface TotalsGroup {
  _id: unknown;
  count: number;
  sum: number;
}

/** Amounts are texts with the decimals of their currency, so their sum is exact. */
export const sumByStages = (key: unknown): mongo.Document[] => [
  { $group: { _id: key, count: { $sum: 1 }, sum: { $sum: { $toDecimal: '$amount' } } } },
  { $set: { sum: { $toDouble: '$sum' } } },
  { $sort: { _id: 1 } },
];

/** Of an hour: each belongs to one day, in any time zone. The database knows fewer time zones, and compares their names exactly. */
export const PAID_QUARTER_HOUR = { $dateTrunc: { date: '$paidAt', unit: 'minute', binSize: 15 } };
