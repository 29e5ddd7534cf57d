/** Moves approved volunteers back to PENDING for a new round, so that each account is reviewed again. */
import type { ClientSession, Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { DeviceModel } from '../devices/model.ts';
import { UserModel, type UserRecord } from './model.ts';

export interface VolunteersReset {
  reset: number;
  /** Volunteers who stay approved, because their devices report unsent interviews. */
  unsent: (Pick<UserRecord, '_id' | 'firstName' | 'lastName'> & { unsent: number })[];
}

type Volunteer = Pick<UserRecord, '_id' | 'firstName' | 'lastName' | 'location' | 'approvedBy'>;

export async function resetVolunteers(session: ClientSession, author: Author): Promise<VolunteersReset> {
  const approved = { role: 'VOLUNTEER', approvalStatus: 'APPROVED', deletedAt: null } as const;
  const fields = { firstName: 1, lastName: 1, location: 1, approvedBy: 1 };
  const volunteers = await UserModel.find(approved, fields)
    .sort({ firstName: 1, lastName: 1, _id: 1 })
    .session(session)
    .lean<Volunteer[]>();
  const waiting = await countUnsent(
    session,
    volunteers.map(({ _id }) => _id),
  );
  const reset = volunteers.filter(({ _id }) => !waiting.has(String(_id)));
  const unsent = volunteers.flatMap(({ _id, firstName, lastName }) => {
    const count = waiting.get(String(_id));
    return count ? [{ _id, firstName, lastName, unsent: count }] : [];
  });
  if (reset.length === 0) return { reset: 0, unsent };
  await UserModel.collection.updateMany(
    { _id: { $in: reset.map(({ _id }) => _id) } },
    { $set: { approvalStatus: 'PENDING', approvedBy: null, updatedAt: author.now } },
    { session },
  );
  const events = reset.map(({ _id: record, location, approvedBy }) => ({
    ...({ action: 'update', subject: 'User', record, location } as const),
    changes: [
      { path: 'approvalStatus', before: 'APPROVED', after: 'PENDING' },
      ...(approvedBy ? [{ path: 'approvedBy', before: approvedBy, after: null }] : []),
    ],
  }));
  await audit(session, author, ...events);
  return { reset: reset.length, unsent };
}

/** The number of interviews that haven't arrived, by person; only people who have any. */
async function countUnsent(session: ClientSession, users: Types.ObjectId[]): Promise<Map<string, number>> {
  const groups = await DeviceModel.collection
    .aggregate<{ _id: Types.ObjectId; count: number }>(
      [
        { $match: { user: { $in: users } } },
        { $group: { _id: '$user', count: { $sum: { $add: ['$unsent', '$refused'] } } } },
        { $match: { count: { $gt: 0 } } },
      ],
      { session },
    )
    .toArray();
  return new Map(groups.map(({ _id, count }) => [String(_id), count]));
}
