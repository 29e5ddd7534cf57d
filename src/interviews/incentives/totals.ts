/** Sums of amounts. */
import type { mongo } from 'mongoose';
import { currencyDecimals } from '../../study/settings/incentives.ts';

/** Formats a sum as an amount; null without a currency. */
export const decimalAmount = (sum: number, currency: string | null): string | null =>
  currency === null ? null : sum.toFixed(currencyDecimals(currency));

export interface TotalsGroup {
  _id: unknown;
  count: number;
  sum: number;
}

/** Exact, because amounts are texts with their currency's decimals and are added as decimals. */
export const amountTotalsPipeline = (key: unknown): mongo.Document[] => [
  { $group: { _id: key, count: { $sum: 1 }, sum: { $sum: { $toDecimal: '$amount' } } } },
  { $set: { sum: { $toDouble: '$sum' } } },
  { $sort: { _id: 1 } },
];

/**
 * Quarter hours belong to a single day in any time zone. Days aren't grouped in the database, because it knows fewer
 * time zones and is strict about their names.
 */
export const QUARTER_HOUR_OF_PAYMENT = { $dateTrunc: { date: '$paidAt', unit: 'minute', binSize: 15 } };
