/**
 * Chains and the seeds that began them, in one pass over all interviews, to which the seeds, each chain's latest
 * interview and the coupons that are live are added as further rows of the same grouping (see recruits.ts for why).
 */
import type { Types } from 'mongoose';
import { ReferralCodes, SMALLEST } from '../referral-codes/model.ts';
import { Seeds } from '../seeds/model.ts';
import type { ChainState } from '../seeds/schema.ts';
import { Surveys } from '../surveys/model.ts';
import { LIMITS, MOST_ALERTS, MOST_CHAINS, QUIET_DAYS } from './limits.ts';
import { reading, type Window } from './window.ts';

const DAY = 86_400_000;

export interface ChainRow {
  _id: Types.ObjectId;
  referralCode: string;
  kind: 'PLANNED' | 'WALK_IN';
  location: Types.ObjectId;
  surveys: number;
  maxWave: number;
  /** Of the counted ones, where not all are counted. */
  lastAt: Date | null;
  lastEver: Date;
  live: number;
}

interface ChainCounts {
  chains: ChainRow[];
  lengths: { _id: number; chains: number }[];
  seeds: {
    planned: number;
    walkIn: number;
    used: number;
    productive: number;
    silent: number;
    walkIns: number;
  }[];
  died: ChainRow[];
  diedTotal: { n: number }[];
  live: { coupons: number }[];
}

export async function countChains(window: Window, now: Date) {
  const [counted] = await Surveys.collection
    .aggregate<ChainCounts>(
      [
        ...chainsOf(window),
        { $unionWith: { coll: Seeds.collection.collectionName, pipeline: seedRows } },
        { $unionWith: { coll: Surveys.collection.collectionName, pipeline: latestRows } },
        { $unionWith: { coll: ReferralCodes.collection.collectionName, pipeline: liveRows(now) } },
        joined,
        { $facet: facets(now) },
      ],
      reading(window),
    )
    .toArray();
  const { chains = [], lengths = [], seeds = [], died = [], diedTotal = [], live: all = [] } = counted ?? {};
  const { planned = 0, walkIn = 0, used = 0, productive = 0, silent = 0, walkIns = 0 } = seeds[0] ?? {};
  return {
    walkIns,
    chains: chains.map(({ _id: seed, live, lastAt, lastEver, ...chain }) => ({
      ...chain,
      seed,
      lastAt: lastAt ?? lastEver,
      liveCoupons: live,
      productive: live > 0,
      state: stateOf(live, lastEver < quietSince(now)),
    })),
    chainsTotal: lengths.reduce((all, one) => all + one.chains, 0),
    chainLengths: lengths.map((one) => ({ maxWave: one._id, chains: one.chains })),
    seeds: { planned, walkIn, used, unused: planned + walkIn - used, productive, silent },
    died,
    diedTotal: diedTotal[0]?.n ?? 0,
    live: all[0]?.coupons ?? 0,
  };
}

/** The same of a few, each read by an index. */
export async function chainsOfSeeds(seeds: Types.ObjectId[], now: Date) {
  const [latest, coupons] = await Promise.all([
    Surveys.collection
      .aggregate<{ _id: Types.ObjectId; lastEver: Date }>(
        [{ $match: { seed: { $in: seeds } } }, ...latestRows],
        LIMITS,
      )
      .toArray(),
    liveByChain({ $in: seeds }, now),
  ]);
  const liveOf = new Map(coupons.map(({ _id, live }) => [String(_id), live]));
  return latest.map(({ _id: seed, lastEver: lastAt }) => {
    const live = liveOf.get(String(seed)) ?? 0;
    return { seed, lastAt, liveCoupons: live, state: stateOf(live, lastAt < quietSince(now)) };
  });
}

const liveByChain = async (chain: object, now: Date) =>
  await ReferralCodes.collection
    .aggregate<{ _id: Types.ObjectId; live: number }>(
      [
        { $match: { chain, state: 'LIVE', expiresAt: { $not: { $lte: now } } } },
        { $group: { _id: '$chain', live: { $sum: 1 } } },
      ],
      LIMITS,
    )
    .toArray();

/** The seeds whose chain stands so. Of chains there may be as many as walk-ins: no more than must leaves the database. */
export async function seedsWhoseChainIs(state: ChainState, now: Date): Promise<Types.ObjectId[]> {
  const quiet = quietSince(now);
  const isQuiet = [0, 1].some((live) => state === stateOf(live, true));
  const hasLive = state === stateOf(1, isQuiet);
  const [latest, live] = await Promise.all([
    Surveys.collection
      .aggregate<{ _id: Types.ObjectId }>(
        [
          { $match: { seed: { $ne: null } } },
          ...latestRows,
          { $match: { lastEver: isQuiet ? { $lt: quiet } : { $gte: quiet } } },
          { $project: { _id: 1 } },
        ],
        LIMITS,
      )
      .toArray(),
    liveByChain({ $gt: SMALLEST }, now),
  ]);
  const alive = new Set(live.map(({ _id }) => String(_id)));
  return latest.filter(({ _id }) => alive.has(String(_id)) === hasLive).map(({ _id }) => _id);
}

const quietSince = (now: Date) => new Date(now.getTime() - QUIET_DAYS * DAY);

function stateOf(live: number, isQuiet: boolean): ChainState {
  if (live > 0) return isQuiet ? 'SILENT' : 'ALIVE';
  return isQuiet ? 'DIED' : 'NO_COUPONS';
}

/** Of the whole study the latest interview is known from latestRows, which cost less than a maximum. */
const chainsOf = ({ match, whole }: Window) => [
  { $match: { ...match, seed: { $ne: null } } },
  {
    $group: {
      _id: '$seed',
      surveys: { $sum: 1 },
      minWave: { $min: '$wave' },
      maxWave: { $max: '$wave' },
      ...(whole ? {} : { lastAt: { $max: '$createdAt' } }),
    },
  },
];

const seedRows = [
  { $match: { deletedAt: null } },
  {
    $project: {
      isSeed: { $literal: 1 },
      referralCode: 1,
      kind: 1,
      location: 1,
      used: { $cond: [{ $gt: ['$survey', null] }, 1, 0] },
    },
  },
];

/**
 * When each chain had its latest interview, whatever the window: the first of each seed in the index, which has null
 * before any date. A chain whose interviews are all deleted has none.
 */
const latestRows = [
  { $sort: { seed: 1, deletedAt: 1, createdAt: -1 } },
  { $group: { _id: '$seed', deletedAt: { $first: '$deletedAt' }, lastEver: { $first: '$createdAt' } } },
  { $match: { deletedAt: null } },
];

/** Live coupons by chain; those of seeds, and of interviews whose chain is not known, have none. */
const liveRows = (now: Date) => [
  // The state is part of the key and no condition: the database would take its index, and fetch one by one what it
  // reads faster as it lies.
  { $match: { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] } },
  { $group: { _id: { chain: '$chain', state: '$state' }, codes: { $sum: 1 } } },
  { $project: { _id: '$_id.chain', live: { $cond: [{ $eq: ['$_id.state', 'LIVE'] }, '$codes', 0] } } },
];

const joined = {
  $group: {
    _id: '$_id',
    isSeed: { $max: '$isSeed' },
    referralCode: { $max: '$referralCode' },
    kind: { $max: '$kind' },
    location: { $max: '$location' },
    used: { $max: '$used' },
    surveys: { $sum: '$surveys' },
    minWave: { $min: '$minWave' },
    maxWave: { $max: '$maxWave' },
    lastAt: { $max: '$lastAt' },
    lastEver: { $max: '$lastEver' },
    live: { $sum: '$live' },
  },
};

function facets(now: Date) {
  const isWalkIn = { $eq: ['$kind', 'WALK_IN'] };
  const one = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } });
  const quiet = quietSince(now);
  // Where there is no date it is null, which `$lt` does not match.
  const dead = { $match: { isSeed: 1, live: 0, lastEver: { $lt: quiet } } };
  return {
    chains: [
      { $match: { isSeed: 1, surveys: { $gt: 0 } } },
      { $sort: { surveys: -1, _id: 1 } },
      { $limit: MOST_CHAINS },
    ],
    lengths: [
      { $match: { isSeed: 1, surveys: { $gt: 0 } } },
      { $group: { _id: '$maxWave', chains: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    seeds: [
      { $match: { isSeed: 1 } },
      {
        $group: {
          _id: null,
          planned: one({ $not: isWalkIn }),
          walkIn: one(isWalkIn),
          used: { $sum: '$used' },
          productive: one({ $gt: ['$live', 0] }),
          // Where there is no date it is null, which is less than any.
          silent: one({
            $and: [{ $gt: ['$live', 0] }, { $gt: ['$lastEver', null] }, { $lt: ['$lastEver', quiet] }],
          }),
          // The first of a chain is the only one of its wave.
          walkIns: one({ $and: [isWalkIn, { $eq: ['$minWave', 0] }] }),
        },
      },
    ],
    died: [dead, { $sort: { lastEver: -1, _id: 1 } }, { $limit: MOST_ALERTS }],
    diedTotal: [dead, { $count: 'n' }],
    live: [{ $group: { _id: null, coupons: { $sum: '$live' } } }],
  };
}
