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

export const newCodes = (
  count: number,
  given: Parameters<typeof newCode>[0],
  now: Date,
): ReferralCodeRecord[] => Array.from({ length: count }, () => newCode(given, now));

/** A coupon that was changed between being read and being taken. */
class CouponChanged extends Error {}

export type Taking = AnyBulkWriteOperation<ReferralCodeRecord>;

/** New codes, and the coupon that was brought is taken, in one command. */
export async function storeCodes(
  session: ClientSession,
  codes: ReferralCodeRecord[],
  taking: Taking | null = null,
): Promise<void> {
  if (!taking) {
    if (codes.length > 0) await ReferralCodes.collection.insertMany(codes, { session });
    return;
  }
  const inserts = codes.map((code) => ({
    replaceOne: { filter: { _id: code._id }, replacement: code, upsert: true },
  }));
  const writes = [taking, ...inserts] as never;
  const { matchedCount } = await ReferralCodes.collection.bulkWrite(writes, { session });
  if (matchedCount === 0) throw new CouponChanged();
}

/**
 * A transaction that makes codes: one that was there already (one in ten thousand with three million codes) ends the
 * transaction, which is then done again as a whole with other codes. So does a coupon that was read before it began,
 * and changed since: `isFirst` says whether that reading is worth anything.
 */
export async function withNewCodes<T>(
  work: (session: ClientSession, isFirst: boolean) => Promise<T>,
): Promise<T> {
  return await untilUnique((isFirst) => inTransaction((session) => work(session, isFirst)));
}

/** For codes that are made, and printed perhaps, before the transaction that stores them. */
export async function untilUnique<T>(work: (isFirst: boolean) => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work(tries === 0);
    } catch (error) {
      const again = error instanceof CouponChanged || refusedByIndex(error) === 'code_once';
      if (!again || tries === 5) throw error;
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
    const codes = newCodes(batch.count, { state: 'RESERVED', batch: batch._id }, now);
    const texts = codes.map((one) => one.code);
    await prepare(batch._id, texts);
    await inTransaction(async (session) => {
      await requireLocation(given.location.toHexString(), session);
      await CodeBatches.collection.insertOne(batch, { session });
      await storeCodes(session, codes);
      const { _id: record, location } = batch;
      await audit(session, { by, action: 'create', subject: 'CodeBatch', record, location, at: now });
    });
    return { id: batch._id, codes: texts };
  });
}
