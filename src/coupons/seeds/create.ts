import mongoose, { type ClientSession, type Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { requireExistingLocation } from '../../study/locations/model.ts';
import { requireOpenRound } from '../../study/rounds/model.ts';
import { newReferralCodeRecord, retryUntilUnique, storeCodes } from '../referral-codes/issue.ts';
import { ReferralCodeModel, type ReferralCodeRecord } from '../referral-codes/model.ts';
import { SeedModel, type SeedRecord } from './model.ts';

export interface NewSeed extends Author {
  kind: SeedRecord['kind'];
  location: Types.ObjectId;
  round: Types.ObjectId;
  note: string | null;
}

/** A seed with its code, not stored yet. */
export function newSeedWithCode({ kind, location, round, note, by, now }: NewSeed): {
  seed: SeedRecord;
  code: ReferralCodeRecord;
} {
  const id = new mongoose.Types.ObjectId();
  const code = newReferralCodeRecord({ state: 'LIVE', seed: id, round }, now);
  const seed: SeedRecord = {
    _id: id,
    referralCode: code.code,
    kind,
    location,
    round,
    note,
    survey: null,
    createdBy: by,
    createdAt: now,
    deletedAt: null,
  };
  return { seed, code };
}

/**
 * Creates `count` seeds of the open round, each with its code: all of them or none; 409 if no round is open. `prepare` runs before they are stored, so that an error
 * in it leaves nothing behind and printing thousands of pages doesn't keep a transaction open.
 */
export async function createSeeds(
  fields: Omit<NewSeed, 'round'>,
  count: number,
  prepare: (seeds: SeedRecord[]) => Promise<void> = async () => {},
): Promise<SeedRecord[]> {
  return await retryUntilUnique(async () => {
    const { _id: round } = await requireOpenRound();
    const pairs = Array.from({ length: count }, () => newSeedWithCode({ ...fields, round }));
    const seeds = pairs.map((one) => one.seed);
    await prepare(seeds);
    const event = { action: 'create', subject: 'Seed' } as const;
    await inTransaction(async (session) => {
      await requireExistingLocation(fields.location.toHexString(), session);
      await requireOpenRound(session);
      await SeedModel.collection.insertMany(seeds, { session });
      await storeCodes(
        session,
        pairs.map((one) => one.code),
      );
      const events = seeds.map(({ _id: record, location }) => ({ ...event, record, location }));
      await audit(session, fields, ...events);
    }, fields.deadline);
    return seeds;
  });
}

/** Soft delete; voids the code. Refused (SEED_IN_USE) if the code was ever redeemed, even by a deleted survey. */
export async function deleteSeed(
  find: (session: ClientSession) => Promise<SeedRecord>,
  { by, now, deadline }: Author,
): Promise<void> {
  await inTransaction(async (session) => {
    const seed = await find(session);
    const voided = await ReferralCodeModel.collection.updateOne(
      { code: seed.referralCode, redeemedBy: null },
      { $set: { state: 'VOID', voidedAt: now, voidReason: 'The seed was deleted.' } },
      { session },
    );
    if (voided.matchedCount === 0) throw problem('SEED_IN_USE');
    await SeedModel.collection.updateOne({ _id: seed._id }, { $set: { deletedAt: now } }, { session });
    const { _id: record, location } = seed;
    await audit(session, { by, now }, { action: 'delete', subject: 'Seed', record, location });
  }, deadline);
}
