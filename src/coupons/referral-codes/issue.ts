/** Creates codes: for a seed, a completed survey, or a printed batch. For devices see reserved-blocks.ts. */

import { randomBytes } from 'node:crypto';
import mongoose, { type AnyBulkWriteOperation, type ClientSession, type Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { violatedIndex } from '../../platform/http/problems/errors.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { requireExistingLocation } from '../../study/locations/model.ts';
import { requireOpenRound } from '../../study/rounds/model.ts';
import { generateCode, readsAsNumber } from './code.ts';
import { CodeBatchModel, type CodeBatchRecord, ReferralCodeModel, type ReferralCodeRecord } from './model.ts';

function safeCode(): string {
  for (;;) {
    const code = generateCode(randomBytes);
    if (!readsAsNumber(code)) return code;
  }
}

/** A random code; the unique index refuses it if it exists already. */
export function newReferralCodeRecord(
  fields: Partial<ReferralCodeRecord> & Pick<ReferralCodeRecord, 'state'>,
  now: Date,
): ReferralCodeRecord {
  return {
    _id: new mongoose.Types.ObjectId(),
    code: safeCode(),
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
    ...fields,
  };
}

export const newCodes = (
  count: number,
  fields: Parameters<typeof newReferralCodeRecord>[0],
  now: Date,
): ReferralCodeRecord[] => Array.from({ length: count }, () => newReferralCodeRecord(fields, now));

/** Thrown if the coupon was changed between being read and being redeemed. */
class CouponChanged extends Error {}

export type CouponUpdate = AnyBulkWriteOperation<ReferralCodeRecord>;

/** Stores new codes and updates the presented coupon, in one command. */
export async function storeCodes(
  session: ClientSession,
  codes: ReferralCodeRecord[],
  taking: CouponUpdate | null = null,
): Promise<void> {
  if (!taking) {
    if (codes.length > 0) await ReferralCodeModel.collection.insertMany(codes, { session });
    return;
  }
  const inserts = codes.map((code) => ({
    replaceOne: { filter: { _id: code._id }, replacement: code, upsert: true },
  }));
  const writes = [taking, ...inserts] as never;
  const { matchedCount } = await ReferralCodeModel.collection.bulkWrite(writes, { session });
  if (matchedCount === 0) throw new CouponChanged();
}

/**
 * A transaction that creates codes. If a code already exists (one in ten thousand with three million codes), or if a
 * coupon that was read before the transaction has changed, everything runs again. `isFirst` is false then, because data
 * that was read before may be outdated.
 */
export async function inTransactionUntilUnique<T>(
  work: (session: ClientSession, isFirst: boolean) => Promise<T>,
  deadline?: number,
): Promise<T> {
  return await retryUntilUnique((isFirst) => inTransaction((session) => work(session, isFirst), deadline));
}

/** For codes that are created, and perhaps printed, before the transaction that stores them. */
export async function retryUntilUnique<T>(work: (isFirst: boolean) => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work(tries === 0);
    } catch (error) {
      const again = error instanceof CouponChanged || violatedIndex(error) === 'code_once';
      if (!again || tries === 5) throw error;
    }
  }
}

/**
 * Creates a printed batch for anyone to hand out; 409 if no round is open. `prepare` runs before the codes are stored,
 * so that an error in it leaves nothing behind and printing hundreds of pages doesn't keep a transaction open.
 */
export async function createBatch(
  fields: Pick<CodeBatchRecord, 'count' | 'location' | 'note'>,
  { by, now, deadline }: Author,
  prepare: (id: Types.ObjectId, codes: string[]) => Promise<void> = async () => {},
): Promise<{ id: Types.ObjectId; codes: string[] }> {
  await requireOpenRound();
  return await retryUntilUnique(async () => {
    const batch: CodeBatchRecord = {
      _id: new mongoose.Types.ObjectId(),
      ...fields,
      createdBy: by,
      createdAt: now,
    };
    const codes = newCodes(batch.count, { state: 'RESERVED', batch: batch._id }, now);
    const texts = codes.map((one) => one.code);
    await prepare(batch._id, texts);
    await inTransaction(async (session) => {
      await requireExistingLocation(fields.location.toHexString(), session);
      await requireOpenRound(session);
      await CodeBatchModel.collection.insertOne(batch, { session });
      await storeCodes(session, codes);
      const { _id: record, location } = batch;
      await audit(session, { by, now }, { action: 'create', subject: 'CodeBatch', record, location });
    }, deadline);
    return { id: batch._id, codes: texts };
  });
}
