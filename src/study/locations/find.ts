import type { ClientSession } from 'mongoose';
import { NAME_COLLATION } from '../../platform/http/lists/page.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isRecordId } from '../../platform/lib/record-id.ts';
import { LocationModel, type LocationRecord } from './model.ts';

/** By id, or by name ignoring case. */
export async function findLocation(
  text: string,
  session: ClientSession | null = null,
): Promise<LocationRecord> {
  const name = text.trim();
  const location =
    (isRecordId(name)
      ? await LocationModel.findOne({ _id: name, deletedAt: null }).session(session).lean<LocationRecord>()
      : null) ??
    (await LocationModel.findOne({ name, deletedAt: null })
      .collation(NAME_COLLATION)
      .session(session)
      .lean<LocationRecord>());
  if (!location) throw problem('NOT_FOUND', { message: `No location has the id or name "${name}".` });
  return location;
}

/** Also finds closed locations: by name, the open one, or else the one closed last. */
export async function findLocationEvenClosed(text: string): Promise<LocationRecord | null> {
  const name = text.trim();
  if (isRecordId(name)) return await LocationModel.findById(name).lean<LocationRecord>();
  const open = LocationModel.findOne({ deletedAt: null, name });
  const closed = LocationModel.findOne({ deletedAt: { $ne: null }, name }).sort({ deletedAt: -1 });
  const run = async (query: typeof open) => await query.collation(NAME_COLLATION).lean<LocationRecord>();
  return (await run(open)) ?? (await run(closed));
}

export async function listLocations(): Promise<LocationRecord[]> {
  const locations: LocationRecord[] = [];
  const query = LocationModel.find({ deletedAt: null }).sort({ name: 1, _id: 1 }).collation(NAME_COLLATION);
  // In batches, so that other requests get a turn.
  for await (const one of query.lean<LocationRecord>().cursor({ batchSize: 200 })) locations.push(one);
  return locations;
}
