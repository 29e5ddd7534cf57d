/** What is left of the identity clues of each survey: keyed hashes (clues.ts), and whose they are. */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';
import { fault } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import type { Hashes } from './clues.ts';

export interface IdentityRecord {
  _id: Types.ObjectId;
  survey: Types.ObjectId;
  hashes: Hashes;
  /** How often other clues took the place of those of a completed interview. */
  changes?: number;
}

/** Each change could be a guess at whose clues are known. */
const MOST_CHANGES = 3;

const schema = new Schema<IdentityRecord>(
  { survey: Schema.Types.ObjectId, hashes: [String], changes: Number },
  { ...schemaOptions, collection: 'identities' },
);
schema.index({ survey: 1 }, { name: 'identity_once', unique: true });
// Those alike, the earliest first.
schema.index({ hashes: 1, survey: 1 });
export const Identities = mongoose.model<IdentityRecord>('Identity', schema);

export async function storedHashes(session: ClientSession, survey: Types.ObjectId): Promise<Hashes> {
  return (await Identities.collection.findOne({ survey }, { session }))?.hashes ?? [];
}

/** In place of those that there were. False where they say the same; a completed survey's are changed a few times alone. */
export async function storeHashes(
  session: ClientSession,
  survey: Types.ObjectId,
  hashes: Hashes,
  { isChange }: { isChange: boolean },
): Promise<boolean> {
  const known = await Identities.collection.findOne({ survey }, { session });
  if (String(known?.hashes ?? []) === String(hashes)) return false;
  const changes = (known?.changes ?? 0) + (known && isChange ? 1 : 0);
  if (changes > MOST_CHANGES)
    throw problem('INVALID_TRANSITION', { why: fault('CLUES_CHANGED', { most: MOST_CHANGES }) });
  if (hashes.length === 0) await Identities.collection.deleteOne({ survey }, { session });
  else
    await Identities.collection.updateOne(
      { survey },
      { $set: { hashes, ...(changes && { changes }) } },
      { session, upsert: true },
    );
  return true;
}
