/** What was paid in cash at sites on single days, as far as the service knows by now. */
import type { mongo, Types } from 'mongoose';
import { dateAt, dayBounds } from '../../platform/lib/day.ts';
import { Incentives } from '../incentives/model.ts';
import { type Group, groupBy, QUARTER } from '../incentives/totals.ts';

export interface SiteDay {
  location: Types.ObjectId;
  day: string;
}

/** Of payments; absent for a day that doesn't exist. */
export function paidOn({ location, day }: SiteDay, zone: string): mongo.Document | undefined {
  const bounds = dayBounds(day, zone);
  return bounds ? { location, paidAt: { $gte: bounds.start, $lt: bounds.end }, state: 'PAID' } : undefined;
}

/** The sum of each, by `keyOf`. */
export async function sumCash(days: readonly SiteDay[], zone: string): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const each = [...new Map(days.map((one) => [keyOf(one), one])).values()].flatMap((one) => {
    const paid = paidOn(one, zone);
    return paid ? [{ ...paid, method: 'CASH' }] : [];
  });
  if (each.length === 0) return sums;
  const found = Incentives.collection.aggregate<Group>([
    { $match: { $or: each } },
    ...groupBy({ location: '$location', quarter: QUARTER }),
  ]);
  for await (const { _id, sum } of found) {
    const { location, quarter } = _id as { location: Types.ObjectId; quarter: Date };
    const key = keyOf({ location, day: dateAt(quarter, zone) });
    sums.set(key, (sums.get(key) ?? 0) + sum);
  }
  return sums;
}

export const keyOf = ({ location, day }: SiteDay): string => `${location} ${day}`;
