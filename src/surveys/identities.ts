/** What is left of the identity clues of each survey: keyed hashes (clues.ts), and whose they are. */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';
import type { Hashes } from './clues.ts';

export interface IdentityRecord {
  _id: Types.ObjectId;
  survey: Types.ObjectId;
  hashes: Hashes;
}

const schema = new Schema<IdentityRecord>(
  { survey: Schema.Types.ObjectId, hashes: [String] },
  { ...schemaOptions, collection: 'identities' },
);
schema.index({ survey: 1 }, { name: 'identity_once', unique: true });
// Those alike, the earliest first.
schema.index({ hashes: 1, survey: 1 });
export const Identities = mongoose.model<IdentityRecord>('Identity', schema);

export async function storedHashes(session: ClientSession, survey: Types.ObjectId): Promise<Hashes> {
  return (await Identities.collection.findOne({ survey }, { session }))?.hashes ?? [];
}

/** In place of those that there were. False where they say the same. */
export async function storeHashes(
  session: ClientSession,
  survey: Types.ObjectId,
  hashes: Hashes,
): Promise<boolean> {
  if (String(await storedHashes(session, survey)) === String(hashes)) return false;
  if (hashes.length === 0) await Identities.collection.deleteOne({ survey }, { session });
  else await Identities.collection.updateOne({ survey }, { $set: { hashes } }, { session, upsert: true });
  return true;
}
