/** Codes by what they are now, and how long coupons took to come back: one pass over all codes. */
import { ReferralCodes } from '../referral-codes/model.ts';
import { LIMITS } from './limits.ts';

const DAY = 86_400_000;

interface Counted {
  _id: {
    state: 'RESERVED' | 'LIVE' | 'USED' | 'VOID';
    expired: boolean;
    handedOut: boolean;
    days: number | null;
  };
  coupons: number;
}

export interface Coupons {
  coupons: { reserved: number; live: number; returned: number; expired: number; void: number };
  daysToReturn: { days: number; coupons: number }[];
  /** Of those that interviews handed out. */
  handedOut: { live: number; ended: number };
}

/** A code that has expired stays LIVE in its record; time alone tells. */
export const expiredBy = (now: Date) => ({
  $and: [{ $eq: ['$state', 'LIVE'] }, { $gt: ['$expiresAt', null] }, { $lte: ['$expiresAt', now] }],
});

export async function countCoupons(now: Date): Promise<Coupons> {
  const set = (field: string) => ({ $gt: [field, null] });
  const days = { $floor: { $divide: [{ $subtract: ['$redeemedAt', '$createdAt'] }, DAY] } };
  // Codes made in advance are older than their handing out; seeds' codes are no coupons of an interview.
  const tells = {
    $and: [set('$redeemedAt'), set('$survey'), { $lte: ['$reservedBy', null] }, { $lte: ['$batch', null] }],
  };
  const groups = await ReferralCodes.collection
    .aggregate<Counted>(
      [
        {
          $group: {
            _id: {
              state: '$state',
              expired: expiredBy(now),
              handedOut: set('$survey'),
              days: { $cond: [tells, { $max: [0, days] }, null] },
            },
            coupons: { $sum: 1 },
          },
        },
      ],
      LIMITS,
    )
    .toArray();
  const sum = (wanted: (key: Counted['_id']) => boolean) =>
    groups.reduce((all, one) => (wanted(one._id) ? all + one.coupons : all), 0);
  const live = (key: Counted['_id']) => key.state === 'LIVE' && !key.expired;
  const ended = (key: Counted['_id']) => key.state === 'VOID' || key.expired;
  const lags = [...new Set(groups.flatMap((one) => one._id.days ?? []))].sort((a, b) => a - b);
  return {
    coupons: {
      reserved: sum((key) => key.state === 'RESERVED'),
      live: sum(live),
      returned: sum((key) => key.state === 'USED'),
      expired: sum((key) => key.expired),
      void: sum((key) => key.state === 'VOID'),
    },
    daysToReturn: lags.map((lag) => ({ days: lag, coupons: sum((key) => key.days === lag) })),
    handedOut: {
      live: sum((key) => key.handedOut && live(key)),
      ended: sum((key) => key.handedOut && ended(key)),
    },
  };
}
