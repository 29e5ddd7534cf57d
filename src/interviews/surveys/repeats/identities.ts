/** Stores the keyed hashes of each survey's identity answers (identity-hashes.ts). */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../../platform/db/schema-options.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import type { IdentityHashes } from './identity-hashes.ts';

export interface IdentityRecord {
  _id: Types.ObjectId;
  survey: Types.ObjectId;
  hashes: IdentityHashes;
  /** How often the identity answers were changed after the interview was completed. */
  changes?: number;
}

/** Limited, because each change could be a guess at another person's answers. */
const MAX_CHANGES = 3;

const schema = new Schema<IdentityRecord>(
  {
    survey: { type: Schema.Types.ObjectId, ref: 'Survey', required: true },
    hashes: { type: [String], required: true },
    changes: Number,
  },
  schemaOptions('identities'),
);
schema.index({ survey: 1 }, { name: 'identity_once', unique: true });
// Finds matches, earliest first.
schema.index({ hashes: 1, survey: 1 });
export const IdentityHashModel = mongoose.model<IdentityRecord>('Identity', schema);

export async function loadIdentityHashes(
  session: ClientSession,
  survey: Types.ObjectId,
): Promise<IdentityHashes> {
  return (await IdentityHashModel.collection.findOne({ survey }, { session }))?.hashes ?? [];
}

/**
 * Replaces the stored hashes; false if they are the same. For a completed survey, this is possible only a few times.
 */
export async function storeIdentityHashes(
  session: ClientSession,
  survey: Types.ObjectId,
  hashes: IdentityHashes,
  { isNew, isChange }: { isNew: boolean; isChange: boolean },
): Promise<boolean> {
  const stored = isNew ? null : await IdentityHashModel.collection.findOne({ survey }, { session });
  if (String(stored?.hashes ?? []) === String(hashes)) return false;
  const changes = (stored?.changes ?? 0) + (stored && isChange ? 1 : 0);
  if (changes > MAX_CHANGES)
    throw problem('INVALID_TRANSITION', { why: fault('CLUES_CHANGED', { most: MAX_CHANGES }) });
  if (hashes.length === 0) await IdentityHashModel.collection.deleteOne({ survey }, { session });
  else
    await IdentityHashModel.collection.updateOne(
      { survey },
      { $set: { hashes, ...(changes && { changes }) } },
      { session, upsert: true },
    );
  return true;
}
