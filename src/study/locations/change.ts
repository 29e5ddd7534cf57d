import mongoose, { type ClientSession } from 'mongoose';
import { audit, changesOf } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { definedFields } from '../../platform/lib/objects/defined-fields.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { LocationModel, type LocationRecord, lockSite } from './model.ts';
import type { LocationCreate, LocationPatch } from './schema.ts';

/** Finds the location, or throws. */
type FindLocation = (session: ClientSession) => Promise<LocationRecord>;

/** The unique index on the names of open sites refuses duplicates (NAME_TAKEN). */
export async function createLocation(body: LocationCreate, author: Author): Promise<LocationRecord> {
  return await inTransaction((session) => insertLocation(session, body, author), author.deadline);
}

async function insertLocation(
  session: ClientSession,
  body: LocationCreate,
  author: Author,
): Promise<LocationRecord> {
  const location = newLocation(body, author);
  await storeLocationChanges(session, [{ before: null, after: location }], author);
  return location;
}

export function newLocation(body: LocationCreate, { by, now }: Author): LocationRecord {
  return {
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
}

/**
 * `find` is called inside the transaction, so that the second of two concurrent changes sees the result of the first.
 */
export async function updateLocation(
  find: FindLocation,
  body: LocationPatch,
  author: Author,
): Promise<LocationRecord> {
  return await inTransaction(async (session) => {
    const before = await find(session);
    const after = patchedLocation(before, body, author);
    await storeLocationChanges(session, [{ before, after }], author);
    return after;
  }, author.deadline);
}

/** Returns `before` itself if nothing changes. */
export function patchedLocation(
  before: LocationRecord,
  body: LocationPatch,
  { now }: Author,
): LocationRecord {
  const changes = definedFields(body);
  if (changes.address === '') changes.address = null;
  const after: LocationRecord = { ...before, ...changes };
  return changesOf(before, after).length === 0 ? before : { ...after, updatedAt: now };
}

/** `before` is null for a new location. */
export interface LocationRecordChange {
  before: LocationRecord | null;
  after: LocationRecord;
}

/** Writes all of them at once, with their audit events. */
export async function storeLocationChanges(
  session: ClientSession,
  all: LocationRecordChange[],
  author: Author,
): Promise<void> {
  const changed = all.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return;
  const writes = changed.map(({ before, after }) =>
    before
      ? { updateOne: { filter: { _id: after._id }, update: { $set: withoutId(after) } } }
      : { insertOne: { document: after } },
  );
  await LocationModel.collection.bulkWrite(writes, { session });
  const events = changed.map(({ before, after }) => ({
    ...{ action: before ? ('update' as const) : ('create' as const), subject: 'Location' as const },
    ...{ record: after._id, location: after._id },
    ...(before && { changes: changesOf({ ...before, updatedAt: null }, { ...after, updatedAt: null }) }),
  }));
  await audit(session, author, ...events);
}

const withoutId = ({ _id, ...fields }: LocationRecord) => fields;

/** Soft delete: records keep their reference to the location, and its name can be used again. */
export async function deleteLocation(
  find: FindLocation,
  { by, now, deadline }: Author,
): Promise<LocationRecord> {
  await announceDeletion(find, deadline);
  return await inTransaction(async (session) => {
    const location = await find(session);
    await lockSite(session, location._id);
    const update = { $set: { deletedAt: now }, $unset: { deletingUntil: 1 } } as const;
    await LocationModel.collection.updateOne({ _id: location._id }, update, { session });
    const { _id } = location;
    await audit(session, { by, now }, { action: 'delete', subject: 'Location', record: _id, location: _id });
    return location;
  }, deadline);
}

/**
 * Undoes a deletion; does nothing if the location is open. The unique index refuses it if the name was taken
 * (NAME_TAKEN).
 */
export async function reopenLocation(
  find: FindLocation,
  { by, now, deadline }: Author,
): Promise<LocationRecord> {
  return await inTransaction(async (session) => {
    const before = await find(session);
    if (!before.deletedAt) return before;
    const { _id } = before;
    const fields = { deletedAt: null, updatedAt: now };
    await LocationModel.collection.updateOne({ _id }, { $set: fields }, { session });
    const changes = [{ path: 'deletedAt', before: before.deletedAt, after: null }];
    const event = { action: 'update', subject: 'Location', record: _id, location: _id, changes } as const;
    await audit(session, { by, now }, event);
    return { ...before, ...fields };
  }, deadline);
}

/** Longer than any request. */
const DELETION_MS = 15_000;

/**
 * From now on, transactions that store something at the site wait. Otherwise a steady stream of them could keep the
 * deletion from ever succeeding.
 */
async function announceDeletion(find: FindLocation, deadline: number | undefined): Promise<void> {
  await inTransaction(async (session) => {
    const { _id } = await find(session);
    const deletingUntil = new Date(Date.now() + DELETION_MS);
    await LocationModel.collection.updateOne({ _id }, { $set: { deletingUntil } }, { session });
  }, deadline);
}
