import type { Types } from 'mongoose';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isRecordId } from '../../platform/lib/record-id.ts';
import { loadRounds } from '../../study/rounds/model.ts';
import { ReferralCodeModel } from '../referral-codes/model.ts';
import { SeedModel, type SeedRecord } from './model.ts';

/** Seeds to print again: those with these ids, or all unused planned ones of the open round, at one location or all. */
export async function findSeedsToReprint(request: {
  ids: string[];
  location: Types.ObjectId | null;
}): Promise<SeedRecord[]> {
  const { ids, location } = request;
  const bad = ids.find((id) => !isRecordId(id));
  if (bad !== undefined) throw problem('NOT_FOUND', { why: fault('NO_SEED', { seed: bad }) });
  const filter =
    ids.length > 0
      ? { _id: { $in: ids } }
      : {
          kind: 'PLANNED' as const,
          survey: null,
          ...(await openRoundFilter()),
          ...(location && { location }),
        };
  const seeds = await SeedModel.find({ ...filter, deletedAt: null })
    .sort({ createdAt: 1, _id: 1 })
    .lean<SeedRecord[]>();
  const existingIds = new Set(seeds.map((seed) => String(seed._id)));
  const missingId = ids.find((id) => !existingIds.has(id.toLowerCase()));
  if (missingId !== undefined) throw problem('NOT_FOUND', { why: fault('NO_SEED', { seed: missingId }) });
  const printed = ids.length > 0 ? seeds : await withoutVoided(seeds);
  if (printed.length === 0) throw problem('NOT_FOUND', { why: fault('NO_UNUSED_SEED') });
  return printed;
}

async function openRoundFilter() {
  const open = (await loadRounds()).find(({ state }) => state === 'OPEN');
  if (!open) throw problem('NOT_FOUND', { why: fault('NO_UNUSED_SEED') });
  return { round: open._id };
}

/** Without seeds whose code was voided. */
async function withoutVoided(seeds: SeedRecord[]): Promise<SeedRecord[]> {
  const codes = { $in: seeds.map((one) => one.referralCode) };
  const voided = new Set(await ReferralCodeModel.distinct('code', { code: codes, state: 'VOID' }));
  return seeds.filter((one) => !voided.has(one.referralCode));
}

export async function seedExists(id: string): Promise<boolean> {
  return (await SeedModel.exists({ _id: id })) !== null;
}
