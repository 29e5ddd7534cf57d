/**
 * The code of a used seed is the claim number of the person who came with it: whoever knows it can be paid. So it is shown
 * only to people who may read that person's interview, or codes.
 */
import type mongoose from 'mongoose';
import type { Deps } from '../http/deps.ts';
import { readableCodes } from '../referral-codes/readable.ts';
import type { Actor } from '../rights/actor.ts';
import { readsAll } from '../rights/guard.ts';
import type { SeedRecord } from './model.ts';

declare module '../http/deps.ts' {
  interface Deps {
    /** The ids of those surveys that the caller may read. Passed in, because this folder must not import surveys. */
    readableSurveys(actor: Actor, ids: mongoose.Types.ObjectId[]): Promise<Set<string>>;
  }
}

export type ShownSeed = Omit<SeedRecord, 'referralCode'> & { referralCode: string | null };

export async function hideClaims(actor: Actor, deps: Deps, seeds: SeedRecord[]): Promise<ShownSeed[]> {
  const used = seeds.filter(({ survey }) => survey !== null);
  if (used.length === 0 || readsAll(actor, 'ReferralCode')) return seeds;
  const [surveys, codes] = await Promise.all([
    deps.readableSurveys(
      actor,
      used.flatMap(({ survey }) => survey ?? []),
    ),
    readableCodes(
      actor,
      used.map(({ referralCode }) => referralCode),
    ),
  ]);
  return seeds.map((seed) =>
    seed.survey === null || surveys.has(String(seed.survey)) || codes.has(seed.referralCode)
      ? seed
      : { ...seed, referralCode: null },
  );
}
