/** Which interviews are counted: those held at a site and in a time, or all. */
import mongoose from 'mongoose';
import { heldWithin } from '../http/between.ts';
import { LIMITS } from './limits.ts';
import type { SummaryQuery } from './schema.ts';

export interface Window {
  /** As a filter of surveys. */
  match: object;
  /** It holds for all that are not deleted. */
  whole: boolean;
  /** It holds for some days only. */
  dated: boolean;
}

export function windowOf(asked: SummaryQuery, zone: string): Window {
  const location = asked.location ? { location: new mongoose.Types.ObjectId(asked.location) } : {};
  const days = heldWithin(asked, zone);
  const within = { ...location, ...days };
  const [whole, dated] = [within, days].map((one) => Object.keys(one).length);
  return { match: { deletedAt: null, ...within }, whole: whole === 0, dated: dated !== 0 };
}

/** Reads all records as they lie: fetching each by way of an index takes three times as long. */
export const SCAN = { ...LIMITS, hint: { $natural: 1 } };

/**
 * By when they were held. Most arrive on the day on which they were held, so that the database, which tries each index on
 * the first hundred, finds that of arrivals as good, and then reads all interviews by it.
 */
export const BY_HELD = { ...LIMITS, hint: { deletedAt: 1, heldAt: -1, location: 1 } };

export function reading({ whole, dated }: Window) {
  if (whole) return SCAN;
  return dated ? BY_HELD : LIMITS;
}

/** The same within a union, which takes no hint: of that index alone they come in this order. */
export const inOrderHeld = { $sort: { heldAt: -1 } };
