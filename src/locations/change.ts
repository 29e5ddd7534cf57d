import mongoose, { type ClientSession, type Types } from 'mongoose';
import { audit, changesOf } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { type LocationRecord, Locations, lockSite } from './model.ts';
import type { LocationCreate, LocationPatch } from './schema.ts';

/** The location that is meant, or a refusal. */
type Find = (session: ClientSession) => Promise<LocationRecord>;

export interface Doer {
  /** Null for an operator's command. */
  by: Types.ObjectId | null;
  now: Date;
}

/** The unique index on live names refuses a second one (NAME_TAKEN). */
export async function createLocation(body: LocationCreate, doer: Doer): Promise<LocationRecord> {
  return await inTransaction((session) => insertLocation(session, body, doer));
}

export async function insertLocation(
  session: ClientSession,
  body: LocationCreate,
  { by, now }: Doer,
): Promise<LocationRecord> {
  const location: LocationRecord = {
    _id: new mongoose.Types.ObjectId(),
    name: body.name,
    address: body.address || null,
    type: body.type,
    coordinates: body.coordinates ?? null,
    createdBy: by,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  await Locations.collection.insertOne(location, { session });
  const { _id } = location;
  await audit(session, { by, action: 'create', subject: 'Location', record: _id, location: _id, at: now });
  return location;
}

/** `find` is asked inside the transaction: of two changes at once the second sees what the first has left. */
export async function updateLocation(find: Find, body: LocationPatch, doer: Doer): Promise<LocationRecord> {
  return await inTransaction(async (session) => changeLocation(session, await find(session), body, doer));
}

/** Answers `before` itself where nothing changes. */
export async function changeLocation(
  session: ClientSession,
  before: LocationRecord,
  body: LocationPatch,
  { by, now }: Doer,
): Promise<LocationRecord> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  if (given.address === '') given.address = null;
  const after: LocationRecord = { ...before, ...given };
  const changes = changesOf(before, after);
  if (changes.length === 0) return before;
  after.updatedAt = now;
  await Locations.collection.updateOne(
    { _id: before._id },
    { $set: { ...given, updatedAt: now } },
    { session },
  );
  const event = { by, action: 'update', subject: 'Location', record: before._id } as const;
  await audit(session, { ...event, location: before._id, changes, at: now });
  return after;
}

/** Soft: the records that refer to it keep it; its name is free again. */
export async function deleteLocation(find: Find, { by, now }: Doer): Promise<LocationRecord> {
  return await inTransaction(async (session) => {
    const location = await find(session);
    await lockSite(session, location._id);
    await Locations.collection.updateOne({ _id: location._id }, { $set: { deletedAt: now } }, { session });
    const { _id } = location;
    await audit(session, { by, action: 'delete', subject: 'Location', record: _id, location: _id, at: now });
    return location;
  });
}
