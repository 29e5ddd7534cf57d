/**
 * What pace and sites are told from: interviews by the day on which they were held, site and outcome; those who interviewed in the last seven days; and coupons by site. Kept as the board is (kept.ts).
 */
import type { Types } from 'mongoose';
import { boundsOfDay, dayName } from '../lib/day.ts';
import { ReferralCodes, SMALLEST } from '../referral-codes/model.ts';
import { counts, NOT_DELETED, refuses } from '../surveys/counting.ts';
import { Surveys } from '../surveys/model.ts';
import { countCouponsNow } from './coupons.ts';
import { dayNamed, dayNumber } from './forecast.ts';
import { countAllInterviews } from './interviews.ts';
import { keeping } from './kept.ts';
import { lastAnswers } from './last-answers.ts';
import { RETURN_DAYS } from './limits.ts';
import { BY_HELD, SCAN } from './window.ts';

const DAY = 86_400_000;

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
const last = lastAnswers<ReturnType<typeof inColumns>>('held');

export async function heldNow(asked: AskedAt, maxAge?: number): Promise<Held> {
  const { now, zone, store } = asked;
  const key = [store, zone];
  const today = dayName(now, zone);
  const before = await last.find(key, maxAge);
  // Of each day it says how many there were: of a day that has just begun none.
  if (before) return { ...inRows(before), today };
  const { counting, unchanged } = await kept([...key, today], async () => {
    const at = new Date();
    const held = await count(asked, today);
    await last.keep(key, at, inColumns(held));
    return held;
  });
  return unchanged ? { ...(await counting), asOf: asked.now } : await counting;
}

/** As it is kept, in a fifth of the room: of 100,000 interviews there may be nearly as many rows. */
export function inColumns({ rows, ...held }: Held) {
  const n = rows.length;
  const columns = {
    day: new Int32Array(n),
    site: new Int32Array(n),
    counts: new Uint8Array(n),
    refused: new Uint8Array(n),
    surveys: new Int32Array(n),
    lastAt: new Float64Array(n),
  };
  const [days, sites] = [new Map<string, number>(), new Map<string, number>()];
  for (let at = 0; at < n; at++) {
    const { day, site, counts, refused, surveys, lastAt } = rows[at] as HeldRow;
    columns.day[at] = placeIn(days, day);
    columns.site[at] = placeIn(sites, site);
    columns.counts[at] = Number(counts);
    columns.refused[at] = Number(refused);
    columns.surveys[at] = surveys;
    columns.lastAt[at] = lastAt.getTime();
  }
  return { ...held, days: [...days.keys()], sites: [...sites.keys()], columns };
}

function placeIn(known: Map<string, number>, value: string): number {
  const place = known.get(value) ?? known.size;
  if (place === known.size) known.set(value, place);
  return place;
}

export function inRows({ days, sites, columns, ...held }: ReturnType<typeof inColumns>): Held {
  const { day, site, counts, refused, surveys, lastAt } = columns;
  const rows = Array.from(surveys, (count, at) => ({
    day: days[day[at] ?? 0] ?? '',
    site: sites[site[at] ?? 0] ?? '',
    counts: counts[at] === 1,
    refused: refused[at] === 1,
    surveys: count,
    lastAt: new Date(lastAt[at] ?? 0),
  }));
  return { ...held, rows };
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
    counts: counts({ status, takesPart }),
    refused: refuses({ status, takesPart }),
  }));
}

async function interviewersSince(start: Date): Promise<Held['active']> {
  const groups = await Surveys.collection
    .aggregate<{ _id: { location: Types.ObjectId; by: Types.ObjectId } }>(
      [
        { $match: { ...NOT_DELETED, heldAt: { $gte: start } } },
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
