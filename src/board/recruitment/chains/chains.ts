/** Chains, and the seeds that started them. */
import mongoose, { type Types } from 'mongoose';
import type { ChainState } from '../../../coupons/seeds/schema.ts';
import { DAY_MS } from '../../../platform/lib/day.ts';
import { queryStudyTable } from '../../../statistics/study-table/ask.ts';
import { SEED_STORED, SEED_USED, SEED_WALK_IN } from '../../../statistics/study-table/seeds.ts';
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { createStudyTableQuery } from '../../../statistics/study-table/table-query.ts';
import { allRounds, type RoundReference } from '../../../study/rounds/requested.ts';
import { DAYS_UNTIL_CHAIN_DIES, MAX_ALERTS, MAX_CHAINS } from '../limits.ts';
import { forEachInterviewWithin, type RecruitmentQueryContext, type SitePeriod } from '../window.ts';

/** Arrays by seed. */
interface Tallies {
  /** Within the window. */
  surveys: Int32Array;
  minWave: Int32Array;
  maxWave: Int32Array;
  lastAt: Float64Array;
  /** When its latest interview arrived, regardless of the window; 0 if all are deleted. */
  lastEver: Float64Array;
  /** All interviews that aren't deleted, regardless of the window. */
  surveysEver: Int32Array;
  maxWaveEver: Int32Array;
  /** Live coupons. */
  live: Int32Array;
}

export function summarizeChains(table: StudyTable, window: SitePeriod, now: Date) {
  const { seeds } = table;
  const tallies = { ...tallyChains(table, now.getTime()), ...tallyChainsInWindow(table, window) };
  const stored = rowNumbersWhere(seeds.size, (seed) => (seeds.state[seed]! & SEED_STORED) !== 0);
  const begun = stored.filter((seed) => tallies.surveys[seed]! > 0);
  const bySize = begun.sort((a, b) => tallies.surveys[b]! - tallies.surveys[a]! || seeds.ids.compare(a, b));
  const died = stored
    .filter((seed) => stateAt(tallies, seed, now) === 'DIED')
    .sort((a, b) => tallies.lastEver[b]! - tallies.lastEver[a]! || seeds.ids.compare(a, b));
  return {
    chains: bySize.slice(0, MAX_CHAINS).map((seed) => chainSummaryOf(table, tallies, seed, now)),
    chainsTotal: begun.length,
    chainLengths: lengthsOf(begun.map((seed) => Math.max(0, tallies.maxWave[seed]!))),
    ...countSeeds(table, tallies, stored, now),
    died: died.slice(0, MAX_ALERTS).map((seed) => ({
      seed: seeds.ids.hex(seed),
      referralCode: seeds.codes[seed] ?? '',
      location: seeds.site.valueOf(seed),
      since: new Date(tallies.lastEver[seed]!),
    })),
    diedTotal: died.length,
  };
}

export function rowNumbersWhere(size: number, isWanted: (row: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < size; row++) if (isWanted(row)) rows.push(row);
  return rows;
}

export function tallyChainsInWindow({ interviews, seeds }: StudyTable, window: SitePeriod) {
  const { seed, wave, createdAt } = interviews;
  const surveys = new Int32Array(seeds.size);
  const minWave = new Int32Array(seeds.size).fill(-1);
  const maxWave = new Int32Array(seeds.size).fill(-1);
  const lastAt = new Float64Array(seeds.size);
  forEachInterviewWithin(interviews, window, (row) => {
    const of = seed[row]!;
    if (of < 0) return;
    surveys[of]!++;
    if (wave[row]! >= 0 && (minWave[of]! < 0 || wave[row]! < minWave[of]!)) minWave[of] = wave[row]!;
    if (wave[row]! > maxWave[of]!) maxWave[of] = wave[row]!;
    if (createdAt[row]! > lastAt[of]!) lastAt[of] = createdAt[row]!;
  });
  return { surveys, minWave, maxWave, lastAt };
}

export function tallyChains({ interviews, coupons, seeds }: StudyTable, now: number) {
  const lastEver = new Float64Array(seeds.size);
  const live = new Int32Array(seeds.size);
  const surveysEver = new Int32Array(seeds.size);
  const maxWaveEver = new Int32Array(seeds.size);
  for (let row = 0; row < interviews.size; row++) {
    const of = interviews.seed[row]!;
    if (!interviews.isPresent(row) || of < 0) continue;
    if (interviews.createdAt[row]! > lastEver[of]!) lastEver[of] = interviews.createdAt[row]!;
    surveysEver[of]!++;
    maxWaveEver[of] = Math.max(maxWaveEver[of]!, interviews.wave[row]!);
  }
  for (let row = 0; row < coupons.size; row++)
    if (coupons.chain[row]! >= 0 && coupons.isLive(row, now)) live[coupons.chain[row]!]!++;
  return { lastEver, live, surveysEver, maxWaveEver };
}

export function chainSummaryOf({ seeds }: StudyTable, tallies: Tallies, seed: number, now: Date) {
  const live = tallies.live[seed]!;
  return {
    seed: seeds.ids.hex(seed),
    referralCode: seeds.codes[seed] ?? '',
    kind: kindOf(seeds.state[seed]!),
    location: seeds.site.valueOf(seed),
    surveys: tallies.surveys[seed]!,
    maxWave: Math.max(0, tallies.maxWave[seed]!),
    lastAt: new Date(tallies.lastAt[seed]!),
    liveCoupons: live,
    productive: live > 0,
    state: stateOf(live, isQuiet(tallies.lastEver[seed]!, now)),
  };
}

const kindOf = (state: number) => (state & SEED_WALK_IN ? ('WALK_IN' as const) : ('PLANNED' as const));

function lengthsOf(waves: number[]): { maxWave: number; chains: number }[] {
  const chains = new Map<number, number>();
  for (const wave of waves) chains.set(wave, (chains.get(wave) ?? 0) + 1);
  return [...chains].sort(([a], [b]) => a - b).map(([maxWave, n]) => ({ maxWave, chains: n }));
}

function countSeeds({ seeds }: StudyTable, tallies: Tallies, stored: number[], now: Date) {
  const count = (isOne: (seed: number) => boolean) => stored.filter(isOne).length;
  const isWalkIn = (seed: number) => (seeds.state[seed]! & SEED_WALK_IN) !== 0;
  const walkIn = count(isWalkIn);
  const used = count((seed) => (seeds.state[seed]! & SEED_USED) !== 0);
  return {
    // The first interview of a chain is the only one in its wave.
    walkIns: count((seed) => isWalkIn(seed) && tallies.minWave[seed] === 0),
    seeds: {
      planned: stored.length - walkIn,
      walkIn,
      used,
      unused: stored.length - used,
      productive: count((seed) => tallies.live[seed]! > 0),
      silent: count((seed) => stateAt(tallies, seed, now) === 'SILENT'),
    },
  };
}

/** Null if the seed has no interviews (left). */
function stateAt(
  { lastEver, live }: Pick<Tallies, 'lastEver' | 'live'>,
  seed: number,
  now: Date,
): ChainState | null {
  return lastEver[seed] === 0 ? null : stateOf(live[seed]!, isQuiet(lastEver[seed]!, now));
}

const isQuiet = (lastEver: number, now: Date) => lastEver < now.getTime() - DAYS_UNTIL_CHAIN_DIES * DAY_MS;

function stateOf(live: number, isQuiet: boolean): ChainState {
  if (live > 0) return isQuiet ? 'SILENT' : 'ALIVE';
  return isQuiet ? 'DIED' : 'NO_COUPONS';
}

/** The state of these seeds' chains; seeds without interviews have no chain. */
export const seedChainsFromStudyTable = createStudyTableQuery(
  'chains of seeds',
  (table, args: Omit<RecruitmentQueryContext, 'zone'> & { seeds: string[] }) => {
    const tallies = tallyChains(table, args.now.getTime());
    const rows = args.seeds.map((id) => table.seeds.ids.find(id));
    return [...new Set(rows)].flatMap((seed) => {
      const state = seed < 0 ? null : stateAt(tallies, seed, args.now);
      if (state === null) return [];
      const lastAt = new Date(tallies.lastEver[seed]!);
      return {
        seed: table.seeds.ids.hex(seed),
        surveys: tallies.surveysEver[seed]!,
        maxWave: tallies.maxWaveEver[seed]!,
        lastAt,
        liveCoupons: tallies.live[seed]!,
        state,
      };
    });
  },
);

export const seedsInStateStudyTableQuery = createStudyTableQuery(
  'seeds by the state of their chain',
  (table, args: { state: ChainState; now: Date; round: RoundReference }) => {
    const tallies = tallyChains(table, args.now.getTime());
    const rows = rowNumbersWhere(table.seeds.size, (seed) => stateAt(tallies, seed, args.now) === args.state);
    return rows.map((seed) => table.seeds.ids.hex(seed));
  },
);

/** Seeds whose chain is in this state, in all rounds. */
export async function findSeedsByChainState(state: ChainState, now: Date): Promise<Types.ObjectId[]> {
  const rounds = await allRounds();
  const ids = await Promise.all(
    rounds.map(({ ref: round }) => queryStudyTable(seedsInStateStudyTableQuery, { state, now, round })),
  );
  return ids.flat().map((id) => new mongoose.Types.ObjectId(id));
}
