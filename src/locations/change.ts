import mongoose, { type ClientSession } from 'mongoose';
import { audit, changesOf } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { givenFields } from '../lib/given-fields.ts';
import type { Author } from '../rights/actor.ts';
import { type LocationRecord, Locations, lockSite } from './model.ts';
import type { LocationCreate, LocationPatch } from './schema.ts';

/** Finds the location, or throws. */
type FindLocation = (session: ClientSession) => Promise<LocationRecord>;

/** The unique index on live names refuses a second one (NAME_TAKEN). */
export async function createLocation(body: LocationCreate, author: Author): Promise<LocationRecord> {
  return await inTransaction((session) => insertLocation(session, body, author), author.deadline);
}

export async function insertLocation(
  session: ClientSession,
  body: LocationCreate,
  { by, now }: Author,
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
  await audit(session, { by, now }, { action: 'create', subject: 'Location', record: _id, location: _id });
  return location;
}

/** `find` is called inside the transaction, so that of two parallel changes the second sees the result of the first. */
export async function updateLocation(
  find: FindLocation,
  body: LocationPatch,
  author: Author,
): Promise<LocationRecord> {
  return await inTransaction(
    async (session) => changeLocation(session, await find(session), body, author),
    author.deadline,
  );
}

/** Returns `before` itself if nothing changes. */
export async function changeLocation(
  session: ClientSession,
  before: LocationRecord,
  body: LocationPatch,
  { by, now }: Author,
): Promise<LocationRecord> {
  const given = givenFields(body);
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
  const event = { action: 'update', subject: 'Location', record: before._id, location: before._id } as const;
  await audit(session, { by, now }, { ...event, changes });
  return after;
}

/** Soft delete: records keep their reference to it, and its name can be used again. */
export async function deleteLocation(
  find: FindLocation,
  { by, now, deadline }: Author,
): Promise<LocationRecord> {
  return await inTransaction(async (session) => {
    const location = await find(session);
    await lockSite(session, location._id);
    await Locations.collection.updateOne({ _id: location._id }, { $set: { deletedAt: now } }, { session });
    const { _id } = location;
    await audit(session, { by, now }, { action: 'delete', subject: 'Location', record: _id, location: _id });
    return location;
  }, deadline);
}

/** Undoes a deletion; nothing changes if it is open. The unique index refuses it if its name was taken (NAME_TAKEN). */
export async function reopenLocation(
  find: FindLocation,
  { by, now, deadline }: Author,
): Promise<LocationRecord> {
  return await inTransaction(async (session) => {
    const before = await find(session);
    if (!before.deletedAt) return before;
    const { _id } = before;
    const fields = { deletedAt: null, updatedAt: now };
    await Locations.collection.updateOne({ _id }, { $set: fields }, { session });
    const changes = [{ path: 'deletedAt', before: before.deletedAt, after: null }];
    const event = { action: 'update', subject: 'Location', record: _id, location: _id, changes } as const;
    await audit(session, { by, now }, event);
    return { ...before, ...fields };
  }, deadline);
}
