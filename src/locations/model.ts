import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { recordById } from '../db/batch.ts';
import { schemaOptions } from '../db/schema-options.ts';
import { lock } from '../db/transaction.ts';
import { NAME_COLLATION } from '../http/page.ts';
import { fieldProblem } from '../http/problem.ts';
import type { LocationType } from './schema.ts';

export interface LocationRecord {
  _id: Types.ObjectId;
  /** Unique among the locations that are not deleted, whatever the case. */
  name: string;
  address: string | null;
  type: LocationType;
  coordinates: { latitude: number; longitude: number } | null;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

const schema = new Schema<LocationRecord>(
  {
    name: String,
    address: String,
    type: String,
    coordinates: Schema.Types.Mixed,
    createdBy: Schema.Types.ObjectId,
    createdAt: Date,
    updatedAt: Date,
    deletedAt: Date,
  },
  { ...schemaOptions, collection: 'locations' },
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

declare module '../rights/ability.ts' {
  interface Records {
    Location: LocationRecord;
  }
}

export const Locations = mongoose.model<LocationRecord>('Location', schema);

/**
 * Storing at a site and deleting it exclude each other: whoever stores takes one of these locks, so that many can at
 * once, and whoever deletes takes all.
 */
const SITE_LOCKS = 16;
const siteLock = (site: Types.ObjectId, at: number) => `site ${site} ${at}`;

export async function lockSite(session: ClientSession, site: Types.ObjectId): Promise<void> {
  for (let at = 0; at < SITE_LOCKS; at += 1) await lock(session, siteLock(site, at));
}

/**
 * A body that refers to a location must name one that exists: 400 at the field. With a session it still exists when
 * the transaction commits.
 */
export async function requireLocation(
  id: string,
  session: ClientSession | null = null,
  path = 'location',
): Promise<Types.ObjectId> {
  const wanted = new mongoose.Types.ObjectId(id);
  if (session) await lock(session, siteLock(wanted, Math.floor(Math.random() * SITE_LOCKS)));
  const found = session
    ? await Locations.findById(wanted, { deletedAt: 1 }).session(session).lean()
    : await recordById(Locations, wanted);
  if (!found || found.deletedAt) throw fieldProblem(path, 'NO_LOCATION');
  return found._id;
}
