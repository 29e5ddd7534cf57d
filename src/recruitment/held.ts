/**
 * What pace and sites are told from: interviews by the day on which they were held, site and outcome, in one pass as they
 * lie; those who interviewed in the last seven days; and coupons by site. Kept as the board is (kept.ts).
 */
import type { Types } from 'mongoose';
import { boundsOfDay, dayName } from '../lib/day.ts';
import { ReferralCodes, SMALLEST } from '../referral-codes/model.ts';
import { Surveys } from '../surveys/model.ts';
import { countCoupons } from './coupons.ts';
import { daysBetween } from './days.ts';
import { dayNamed, dayNumber } from './forecast.ts';
import { edge } from './interviews.ts';
import { keeping } from './kept.ts';
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

export async function heldNow(asked: AskedAt): Promise<Held> {
  const today = dayName(asked.now, asked.zone);
  const { counting, unchanged } = await kept([asked.store, asked.zone, today], () => count(asked, today));
  return unchanged ? { ...(await counting), asOf: asked.now } : await counting;
}

async function count({ now, zone }: AskedAt, today: string): Promise<Held> {
  const [rows, active] = await Promise.all([countHeld(zone), interviewersSince(weekOf(today, zone))]);
  return { asOf: now, today, rows, active, coupons: await couponsBySite(now) };
}

/** The first instant of the last seven days, of which today is one. */
export const weekOf = (today: string, zone: string): Date =>
  boundsOfDay(dayNamed(dayNumber(today) - 6), zone)?.start as Date;

interface HeldCount {
  _id: { day: number; location: Types.ObjectId; status: string; takesPart?: boolean };
  surveys: number;
  lastAt: Date;
}

async function countHeld(zone: string): Promise<HeldRow[]> {
  const [first, last] = await Promise.all([edge(ALIVE, 1), edge(ALIVE, -1)]);
  if (!first || !last) return [];
  const days = daysBetween(first.heldAt, last.heldAt, zone);
  const key = {
    day: days.numberOf('$heldAt'),
    location: '$location',
    status: '$status',
    takesPart: '$takesPart',
  };
  const groups = await Surveys.collection
    .aggregate<HeldCount>(
      [{ $match: ALIVE }, { $group: { _id: key, surveys: { $sum: 1 }, lastAt: { $max: '$heldAt' } } }],
      SCAN,
    )
    .toArray();
  return groups.map(({ _id: { day, location, status, takesPart }, surveys, lastAt }) => ({
    day: days.names[day] ?? '',
    site: String(location),
    counts: status === 'COMPLETED' && takesPart !== false,
    refused: status === 'COMPLETED' && takesPart === false,
    surveys,
    lastAt,
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

async function couponsBySite(now: Date): Promise<CouponRow[]> {
  const [{ bySiteCoupons }, settled] = await Promise.all([
    countCoupons(),
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
