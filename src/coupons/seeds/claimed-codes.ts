/**
 * A seed's code becomes the claim number of the person who comes with it, and anyone who knows it can be paid. So a
 * used code is only shown to people who may read that person's interview, or codes; an unused one only to those who
 * hand it out: its creator, people currently at its site, and people who may read codes.
 */
import type mongoose from 'mongoose';
import type { Deps } from '../../platform/http/deps.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { readsAll } from '../../platform/rights/guard.ts';
import { permittedCodes } from '../referral-codes/readable.ts';
import type { SeedRecord } from './model.ts';

declare module '../../platform/http/deps.ts' {
  interface Deps {
    /**
     * Returns the ids of the given surveys that the caller may read. Passed in, because this folder must not import
     * surveys.
     */
    readableSurveys(actor: Actor, ids: mongoose.Types.ObjectId[]): Promise<Set<string>>;
  }
}

export type VisibleSeed = Omit<SeedRecord, 'referralCode'> & { referralCode: string | null };

export async function hideClaimedCodes(
  actor: Actor,
  deps: Deps,
  seeds: SeedRecord[],
): Promise<VisibleSeed[]> {
  if (readsAll(actor, 'ReferralCode')) return seeds;
  const inDoubt = seeds.filter((seed) => !mayHandOut(actor, seed));
  if (inDoubt.length === 0) return seeds;
  const used = inDoubt.flatMap(({ survey }) => survey ?? []);
  const [surveys, codes] = await Promise.all([
    used.length === 0 ? new Set<string>() : deps.readableSurveys(actor, used),
    permittedCodes(
      actor,
      inDoubt.map(({ referralCode }) => referralCode),
    ),
  ]);
  const hidden = new Set(
    inDoubt.filter(({ survey, referralCode }) => !surveys.has(String(survey)) && !codes.has(referralCode)),
  );
  return seeds.map((seed) =>
    hidden.has(seed)
      ? // A note about someone who was interviewed is only for people who may read the interview.
        { ...seed, referralCode: null, note: seed.survey === null ? seed.note : null }
      : seed,
  );
}

function mayHandOut({ user, location }: Actor, seed: SeedRecord): boolean {
  if (seed.survey !== null) return false;
  return String(seed.createdBy) === String(user._id) || String(seed.location) === String(location);
}
