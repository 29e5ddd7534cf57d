import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { findByIdBatched } from '../../platform/db/batched-reads.ts';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import { createTransientError, lockInTransaction } from '../../platform/db/transaction.ts';
import { NAME_COLLATION } from '../../platform/http/lists/page.ts';
import { invalidFieldProblem } from '../../platform/http/problems/problem.ts';
import { LocationType } from './schema.ts';

export interface LocationRecord {
  _id: Types.ObjectId;
  /** Unique among locations that aren't deleted, ignoring case. */
  name: string;
  address: string | null;
  type: LocationType;
  coordinates: { latitude: number; longitude: number } | null;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  /** Somebody is deleting it, unless this time has passed. */
  deletingUntil?: Date;
}

const schema = new Schema<LocationRecord>(
  {
    name: { type: String, required: true },
    address: String,
    type: { type: String, enum: LocationType.options, required: true },
    coordinates: Schema.Types.Mixed,
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    deletedAt: Date,
    deletingUntil: Date,
  },
  schemaOptions('locations'),
);
schema.index(
  { name: 1 },
  {
    name: 'name_live',
    unique: true,
    partialFilterExpression: { deletedAt: null },
    collation: NAME_COLLATION,
  },
);
schema.index({ deletedAt: 1, createdAt: 1, _id: 1 });
schema.index({ deletedAt: 1, name: 1, _id: 1 }, { name: 'by_name', collation: NAME_COLLATION });

export const LocationModel = mongoose.model<LocationRecord>('Location', schema);

/**
 * Keeps records from being stored at a site while it is being deleted. Storing takes one of these locks at random, so
 * that many can store at once; deleting takes all of them.
 */
const SITE_LOCKS = 16;
const siteLock = (site: Types.ObjectId, at: number) => `site ${site} ${at}`;

export const lockSite = (session: ClientSession, site: Types.ObjectId): Promise<void> =>
  lockInTransaction(session, ...Array.from({ length: SITE_LOCKS }, (_, at) => siteLock(site, at)));

/**
 * 400 at `location` unless the location exists. With a session, it is guaranteed to exist when the transaction commits.
 */
export async function requireExistingLocation(
  id: string,
  session: ClientSession | null = null,
): Promise<Types.ObjectId> {
  const locationId = new mongoose.Types.ObjectId(id);
  const record = session
    ? await LocationModel.findById(locationId, { deletedAt: 1, deletingUntil: 1 }).session(session).lean()
    : await findByIdBatched(LocationModel, locationId);
  if (!record || record.deletedAt) throw invalidFieldProblem('location', 'NO_LOCATION');
  if (session) {
    if (record.deletingUntil && record.deletingUntil.getTime() > Date.now()) throw createTransientError();
    await lockInTransaction(session, siteLock(locationId, Math.floor(Math.random() * SITE_LOCKS)));
  }
  return record._id;
}
