import type { ClientSession, Types } from 'mongoose';
import { countAgainstLimit, type RateLimit } from '../../platform/http/limits/rate-limits.ts';
import { violatedIndex } from '../../platform/http/problems/errors.ts';
import { DAY_MS } from '../../platform/lib/day.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { DeviceModel, type DeviceRecord, NOTHING_PENDING_DATE } from './model.ts';
import type { DeviceReport } from './schema.ts';

const MAX_DEVICES_OF_USER = 20;
const STORED_DAYS = 30;

const REPORT_LIMIT: RateLimit = { name: 'device-reports', points: 1, duration: 60 };

/** Per person and device. */
export const limitDeviceReports = ({ user }: Actor, device: string): Promise<void> =>
  countAgainstLimit(REPORT_LIMIT, `${user._id} ${device}`);

const expiryFor = (now: Date) => new Date(now.getTime() + STORED_DAYS * DAY_MS);

/** Call when an account is deleted, because its phones can't report anymore. */
export const expireUserDevices = (session: ClientSession, user: Types.ObjectId, now: Date) =>
  DeviceModel.collection.updateMany(
    { user, expiresAt: null },
    { $set: { expiresAt: expiryFor(now) } },
    { session },
  );

export async function storeDeviceReport({ user, location, now }: Actor, report: DeviceReport): Promise<void> {
  const { device, oldestUnsentAt: reportedDate, ...rest } = report;
  const isPending = report.unsent + report.refused > 0;
  // A phone's clock may be fast.
  const oldestUnsentAt = isPending
    ? new Date(Math.min(reportedDate?.getTime() ?? now.getTime(), now.getTime()))
    : null;
  const fields: Omit<DeviceRecord, '_id' | 'user' | 'device'> = {
    ...{ ...rest, location, oldestUnsentAt, pendingSince: oldestUnsentAt ?? NOTHING_PENDING_DATE },
    ...{ reportedAt: now, expiresAt: isPending ? null : expiryFor(now) },
  };
  const key = { user: user._id, device };
  const write = () => DeviceModel.collection.updateOne(key, { $set: fields }, { upsert: true });
  const { upsertedCount } = await write().catch((error: unknown) => {
    // Two requests inserted it at the same time.
    if (violatedIndex(error) === null) throw error;
    return write();
  });
  if (upsertedCount > 0) await dropSurplus(user._id);
}

/** Drops devices without unsent data first, then those that reported longest ago. */
async function dropSurplus(user: Types.ObjectId): Promise<void> {
  const isPending = { $lt: ['$pendingSince', NOTHING_PENDING_DATE] };
  const surplus = await DeviceModel.collection
    .aggregate<{ _id: Types.ObjectId }>([
      { $match: { user } },
      { $project: { isPending, reportedAt: 1 } },
      { $sort: { isPending: -1, reportedAt: -1, _id: -1 } },
      { $skip: MAX_DEVICES_OF_USER },
      { $project: { _id: 1 } },
    ])
    .toArray();
  if (surplus.length > 0)
    await DeviceModel.collection.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
}
