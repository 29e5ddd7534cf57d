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
}

export function windowOf(asked: SummaryQuery, zone: string): Window {
  const location = asked.location ? { location: new mongoose.Types.ObjectId(asked.location) } : {};
  const within = { ...location, ...heldWithin(asked, zone) };
  return { match: { deletedAt: null, ...within }, whole: Object.keys(within).length === 0 };
}

/** Reads all records as they lie: fetching each by way of an index takes three times as long. */
export const SCAN = { ...LIMITS, hint: { $natural: 1 } };
export const reading = ({ whole }: Window) => (whole ? SCAN : LIMITS);
