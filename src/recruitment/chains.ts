/**
 * Chains and the seeds that began them, in one pass over all interviews, to which the seeds and the codes that ended
 * are added as further rows of the same grouping (see recruits.ts for why).
 *
 * Which chains have a live coupon: of what a chain handed out, each coupon has come back (its recruit is in the
 * chain), was ended (void or expired), or is live. So either the live or the ended ones are counted one by one,
 * whichever are fewer, and the others follow.
 */
import type { Types } from 'mongoose';
import { ReferralCodes } from '../referral-codes/model.ts';
import { Seeds } from '../seeds/model.ts';
import { Surveys } from '../surveys/model.ts';
import type { Coupons } from './coupons.ts';
import { LIMITS, MOST_ALERTS, MOST_CHAINS, QUIET_DAYS } from './limits.ts';
import type { Window } from './window.ts';

const DAY = 86_400_000;

export interface ChainRow {
  _id: Types.ObjectId;
  referralCode: string;
  kind: 'PLANNED' | 'WALK_IN';
  location: Types.ObjectId;
  surveys: number;
  maxWave: number;
  lastAt: Date;
  live: number;
}

export interface DeadChain extends ChainRow {
  lastEver: Date;
}

interface Counted {
  chains: ChainRow[];
  lengths: { _id: number; chains: number }[];
  seeds: { planned: number; walkIn: number; used: number; productive: number; walkIns: number }[];
  died: DeadChain[];
  diedTotal: { n: number }[];
}

export async function countChains(window: Window, now: Date, { handedOut }: Coupons) {
  const countLive = handedOut.live <= handedOut.ended;
  const [counted] = await Surveys.collection
    .aggregate<Counted>(
      [
        ...chainsOf(window),
        { $unionWith: { coll: Seeds.collection.collectionName, pipeline: seedRows } },
        { $unionWith: { coll: ReferralCodes.collection.collectionName, pipeline: codeRows(countLive, now) } },
        joined,
        { $match: { isSeed: 1 } },
        {
          $set: {
            live: countLive ? '$some' : { $subtract: [{ $subtract: ['$issued', '$returned'] }, '$some'] },
          },
        },
        { $facet: facets(now) },
      ],
      LIMITS,
    )
    .toArray();
  const { chains = [], lengths = [], seeds = [], died = [], diedTotal = [] } = counted ?? {};
  const { planned = 0, walkIn = 0, used = 0, productive = 0, walkIns = 0 } = seeds[0] ?? {};
  return {
    walkIns,
    chains: chains.map(({ _id: seed, live, ...chain }) => ({
      ...chain,
      seed,
      liveCoupons: live,
      productive: live > 0,
    })),
    chainsTotal: lengths.reduce((all, one) => all + one.chains, 0),
    chainLengths: lengths.map((one) => ({ maxWave: one._id, chains: one.chains })),
    seeds: { planned, walkIn, used, unused: planned + walkIn - used, productive },
    died,
    diedTotal: diedTotal[0]?.n ?? 0,
  };
}

/**
 * A row for each wave of each chain, apart for what is counted and what is deleted: as keys of the grouping these
 * cost less than as conditions of its sums. Deleted interviews handed out coupons too, which stay good.
 */
const chainsOf = ({ holds }: Window) => {
  const ifCounted = (value: string) => ({ $cond: ['$_id.counted', value, null] });
  return [
    { $match: { seed: { $ne: null } } },
    {
      $group: {
        _id: { seed: '$seed', wave: '$wave', counted: holds, alive: { $lte: ['$deletedAt', null] } },
        surveys: { $sum: 1 },
        at: { $max: '$createdAt' },
        issued: { $sum: { $size: '$issuedCodes' } },
      },
    },
    {
      $project: {
        _id: 0,
        seed: '$_id.seed',
        surveys: ifCounted('$surveys'),
        first: { $cond: [{ $and: ['$_id.counted', { $eq: ['$_id.wave', 0] }] }, '$surveys', 0] },
        maxWave: ifCounted('$_id.wave'),
        lastAt: ifCounted('$at'),
        lastEver: { $cond: ['$_id.alive', '$at', null] },
        issued: 1,
        // Whoever is not the first brought a coupon of this chain back.
        returned: { $cond: [{ $gt: ['$_id.wave', 0] }, '$surveys', 0] },
      },
    },
  ];
};

const seedRows = [
  { $match: { deletedAt: null } },
  {
    $project: {
      _id: 0,
      seed: '$_id',
      isSeed: { $literal: 1 },
      referralCode: 1,
      kind: 1,
      location: 1,
      used: { $cond: [{ $gt: ['$survey', null] }, 1, 0] },
    },
  },
];

/** Live or ended codes that interviews handed out, led to their chains. */
const codeRows = (live: boolean, now: Date) => [
  {
    $match: live
      ? { state: 'LIVE', survey: { $ne: null }, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
      : { survey: { $ne: null }, $or: [{ state: 'VOID' }, { state: 'LIVE', expiresAt: { $lte: now } }] },
  },
  { $group: { _id: '$survey', some: { $sum: 1 } } },
  {
    $lookup: {
      from: Surveys.collection.collectionName,
      localField: '_id',
      foreignField: '_id',
      as: 'survey',
    },
  },
  { $project: { _id: 0, seed: { $first: '$survey.seed' }, some: 1 } },
];

const joined = {
  $group: {
    _id: '$seed',
    isSeed: { $max: '$isSeed' },
    referralCode: { $max: '$referralCode' },
    kind: { $max: '$kind' },
    location: { $max: '$location' },
    used: { $max: '$used' },
    surveys: { $sum: '$surveys' },
    first: { $sum: '$first' },
    maxWave: { $max: '$maxWave' },
    lastAt: { $max: '$lastAt' },
    lastEver: { $max: '$lastEver' },
    issued: { $sum: '$issued' },
    returned: { $sum: '$returned' },
    some: { $sum: '$some' },
  },
};

function facets(now: Date) {
  const isWalkIn = { $eq: ['$kind', 'WALK_IN'] };
  const one = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } });
  const quiet = new Date(now.getTime() - QUIET_DAYS * DAY);
  // A date before the first one is null, which is no date: `$lt` does not match it.
  const dead = { $match: { live: { $lte: 0 }, lastEver: { $lt: quiet } } };
  return {
    chains: [
      { $match: { surveys: { $gt: 0 } } },
      { $sort: { surveys: -1, _id: 1 } },
      { $limit: MOST_CHAINS },
    ],
    lengths: [
      { $match: { surveys: { $gt: 0 } } },
      { $group: { _id: '$maxWave', chains: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    seeds: [
      {
        $group: {
          _id: null,
          planned: one({ $not: isWalkIn }),
          walkIn: one(isWalkIn),
          used: { $sum: '$used' },
          productive: one({ $gt: ['$live', 0] }),
          walkIns: { $sum: { $cond: [isWalkIn, '$first', 0] } },
        },
      },
    ],
    died: [dead, { $sort: { lastEver: -1, _id: 1 } }, { $limit: MOST_ALERTS }],
    diedTotal: [dead, { $count: 'n' }],
  };
}
