/**
 * What pace and sites are told from: interviews by the day on which they were held, site and outcome; those who interviewed in the last seven days; and coupons by site. Kept as the board is (kept.ts).
 */
import type { Types } from 'mongoose';
import { boundsOfDay, dayName } from '../lib/day.ts';
import { ReferralCodes, SMALLEST } from '../referral-codes/model.ts';
import { Surveys } from '../surveys/model.ts';
import { countCouponsNow } from './coupons.ts';
import { dayNamed, dayNumber } from './forecast.ts';
import { countAllInterviews } from './interviews.ts';
import { keeping } from './kept.ts';
import { lastAnswers } from './last-answers.ts';
import { RETURN_DAYS } from './limits.ts';
import { BY_HELD, SCAN } from './window.ts';

const DAY = 86_400_000;
const ALIVE = { deletedAt: null };

export interface HeldRow {
  day: string;
  site: string;
  /** Counts: completed, by a person who takes part. */
  counts: boolean;
  /** Completed, by one who does not. */
  refused: boolean;
  surveys: number;
  lastAt: Date;
}

export interface CouponRow {
  site: string;
  issued: number;
  returned: number;
  /** Live ones whose time has not passed. */
  out: number;
  /** Those whose time has passed, void ones left out, and how many of them came back. */
  settled: number;
  settledReturned: number;
}

export interface Held {
  asOf: Date;
  today: string;
  rows: HeldRow[];
  coupons: CouponRow[];
  active: { site: string; by: string }[];
}

export interface AskedAt {
  now: Date;
  zone: string;
  store: string;
}

const kept = keeping<Promise<Held>>((held) => held);
const last = lastAnswers<Held>('held 1');

export async function heldNow(asked: AskedAt, maxAge?: number): Promise<Held> {
  const { now, zone, store } = asked;
  const key = [store, zone];
  const today = dayName(now, zone);
  const before = await last.find(key, maxAge);
  // Of each day it says how many there were: of a day that has just begun none.
  if (before) return { ...before, today };
  const { counting, unchanged } = await kept([...key, today], async () => {
    const at = new Date();
    const held = await count(asked, today);
    await last.keep(key, at, held);
    return held;
  });
  return unchanged ? { ...(await counting), asOf: asked.now } : await counting;
}

async function count(asked: AskedAt, today: string): Promise<Held> {
  const [rows, active, coupons] = await Promise.all([
    countHeld(asked),
    interviewersSince(weekOf(today, asked.zone)),
    couponsBySite(asked),
  ]);
  return { asOf: asked.now, today, rows, active, coupons };
}

/** The first instant of the last seven days, of which today is one. */
export const weekOf = (today: string, zone: string): Date =>
  boundsOfDay(dayNamed(dayNumber(today) - 6), zone)?.start as Date;

async function countHeld(asked: AskedAt): Promise<HeldRow[]> {
  const { held } = await countAllInterviews(asked);
  return held.map(({ location, status, takesPart, ...row }) => ({
    ...row,
    site: String(location),
    counts: status === 'COMPLETED' && takesPart !== false,
    refused: status === 'COMPLETED' && takesPart === false,
  }));
}

async function interviewersSince(start: Date): Promise<Held['active']> {
  const groups = await Surveys.collection
    .aggregate<{ _id: { location: Types.ObjectId; by: Types.ObjectId } }>(
      [
        { $match: { ...ALIVE, heldAt: { $gte: start } } },
        { $group: { _id: { location: '$location', by: '$createdBy' } } },
      ],
      BY_HELD,
    )
    .toArray();
  return groups.map(({ _id }) => ({ site: String(_id.location), by: String(_id.by) }));
}

/** A coupon that never expires should be back after so many days: what is out longer is not waited for. */
const timeHasPassed = (now: Date) => ({
  location: { $gt: SMALLEST },
  $or: [
    { expiresAt: { $lte: now } },
    { expiresAt: null, handedOutAt: { $lte: new Date(now.getTime() - RETURN_DAYS.from * DAY) } },
  ],
});

async function couponsBySite({ now, store }: AskedAt): Promise<CouponRow[]> {
  const [{ bySiteCoupons }, settled] = await Promise.all([
    countCouponsNow(store),
    ReferralCodes.collection
      .aggregate<{ _id: { location: Types.ObjectId; state: string }; coupons: number }>(
        [
          { $match: timeHasPassed(now) },
          { $group: { _id: { location: '$location', state: '$state' }, coupons: { $sum: 1 } } },
        ],
        SCAN,
      )
      .toArray(),
  ]);
  return bySiteCoupons.map(({ location, issued, returned, live }) => {
    const of = (state: string) =>
      settled.find(({ _id }) => _id.state === state && _id.location.equals(location))?.coupons ?? 0;
    const [lost, came] = [of('LIVE'), of('USED')];
    return {
      site: String(location),
      issued,
      returned,
      // Counted a moment apart.
      out: Math.max(0, live - lost),
      settled: lost + came,
      settledReturned: came,
    };
  });
}
