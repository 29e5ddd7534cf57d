/** Making codes: for a seed, for a completed survey, and as a printed batch; blocks.ts makes those for a device. */
import { randomBytes } from 'node:crypto';
import mongoose, { type AnyBulkWriteOperation, type ClientSession, type Types } from 'mongoose';
import { audit } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { refusedByIndex } from '../http/errors.ts';
import { requireLocation } from '../locations/model.ts';
import { makeCode } from './code.ts';
import { type BatchRecord, CodeBatches, type ReferralCodeRecord, ReferralCodes } from './model.ts';

/** A code that nobody has seen yet; the unique index says whether it is new. */
export function newCode(
  given: Partial<ReferralCodeRecord> & Pick<ReferralCodeRecord, 'state'>,
  now: Date,
): ReferralCodeRecord {
  return {
    _id: new mongoose.Types.ObjectId(),
    code: makeCode(randomBytes),
    seed: null,
    survey: null,
    reservedBy: null,
    batch: null,
    redeemedBy: null,
    redeemedAt: null,
    validFrom: null,
    expiresAt: null,
    voidedAt: null,
    voidReason: null,
    createdAt: now,
    ...given,
  };
}

export async function insertCodes(session: ClientSession, codes: ReferralCodeRecord[]): Promise<void> {
  if (codes.length > 0) await ReferralCodes.collection.insertMany(codes, { session });
}

/** Takes a coupon and inserts new codes in one command; false when no coupon was there to be taken. */
export async function takeAndInsert(
  session: ClientSession,
  taking: AnyBulkWriteOperation<ReferralCodeRecord>,
  codes: ReferralCodeRecord[],
): Promise<boolean> {
  const inserts = codes.map((code) => ({
    replaceOne: { filter: { _id: code._id }, replacement: code, upsert: true },
  }));
  const { matchedCount } = await ReferralCodes.collection.bulkWrite([taking, ...inserts] as never, {
    session,
  });
  return matchedCount === 1;
}

/**
 * A transaction that makes codes: one that was there already (one in ten thousand with three million codes) ends the
 * transaction, which is then done again as a whole with other codes.
 */
export async function issuing<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  return await untilUnique(() => inTransaction(work));
}

/** For codes that are made, and printed perhaps, before the transaction that stores them. */
export async function untilUnique<T>(work: () => Promise<T>): Promise<T> {
  for (let triesLeft = 5; ; triesLeft--) {
    try {
      return await work();
    } catch (error) {
      if (refusedByIndex(error) !== 'code_once' || triesLeft === 0) throw error;
    }
  }
}

/**
 * A printed batch, for anyone to hand out. `prepare` sees the codes before they are stored: what it throws leaves no
 * code behind, and printing hundreds of pages doesn't keep a transaction open.
 */
export async function makeBatch(
  given: Pick<BatchRecord, 'count' | 'location' | 'note'>,
  { by, now }: { by: Types.ObjectId | null; now: Date },
  prepare: (id: Types.ObjectId, codes: string[]) => Promise<void> = async () => {},
): Promise<{ id: Types.ObjectId; codes: string[] }> {
  return await untilUnique(async () => {
    const batch: BatchRecord = {
      _id: new mongoose.Types.ObjectId(),
      ...given,
      createdBy: by,
      createdAt: now,
    };
    const codes = Array.from({ length: batch.count }, () =>
      newCode({ state: 'RESERVED', batch: batch._id }, now),
    );
    const texts = codes.map((one) => one.code);
    await prepare(batch._id, texts);
    await inTransaction(async (session) => {
      await requireLocation(given.location.toHexString(), session);
      await CodeBatches.collection.insertOne(batch, { session });
      await insertCodes(session, codes);
      await audit(session, { by, action: 'create', subject: 'CodeBatch', record: batch._id, at: now });
    });
    return { id: batch._id, codes: texts };
  });
}
