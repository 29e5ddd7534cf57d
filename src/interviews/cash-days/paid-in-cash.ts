/** Cash paid at sites on single days, as far as the service knows by now. */
import mongoose, { type Types } from 'mongoose';
import { dayBounds, isoDateAt } from '../../platform/lib/day.ts';
import { IncentiveModel } from '../incentives/model.ts';
import { amountTotalsPipeline, QUARTER_HOUR_OF_PAYMENT, type TotalsGroup } from '../incentives/totals.ts';

export interface SiteDay {
  location: Types.ObjectId;
  day: string;
}

/** A filter for payments; undefined for a day that doesn't exist. */
export function paidOnFilter({ location, day }: SiteDay, zone: string): mongoose.mongo.Document | undefined {
  const bounds = dayBounds(day, zone);
  return bounds ? { location, paidAt: { $gte: bounds.start, $lt: bounds.end }, state: 'PAID' } : undefined;
}

const DAY_MS = 86_400_000;

/**
 * Sums by `siteDayKey`; may contain other days too. Queries one time range per site, with an extra day at both ends to
 * cover any time zone, because MongoDB would plan a query for each of hundreds of days.
 */
export async function loadCashPaidBySiteDay(
  days: readonly SiteDay[],
  zone: string,
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  if (days.length === 0) return sums;
  const bySite = new Map<string, number[]>();
  for (const { location, day } of days) {
    const times = bySite.get(String(location)) ?? [];
    bySite.set(String(location), [...times, Date.parse(day)]);
  }
  const each = [...bySite].map(([site, times]) => {
    const paidAt = {
      $gte: new Date(Math.min(...times) - DAY_MS),
      $lt: new Date(Math.max(...times) + 2 * DAY_MS),
    };
    return { location: new mongoose.Types.ObjectId(site), paidAt, state: 'PAID', method: 'CASH' };
  });
  const groups = IncentiveModel.collection.aggregate<TotalsGroup>([
    { $match: { $or: each } },
    ...amountTotalsPipeline({ location: '$location', quarter: QUARTER_HOUR_OF_PAYMENT }),
  ]);
  for await (const { _id, sum } of groups) {
    const { location, quarter } = _id as { location: Types.ObjectId; quarter: Date };
    const key = siteDayKey({ location, day: isoDateAt(quarter, zone) });
    sums.set(key, (sums.get(key) ?? 0) + sum);
  }
  return sums;
}

export const siteDayKey = ({ location, day }: SiteDay): string => `${location} ${day}`;
