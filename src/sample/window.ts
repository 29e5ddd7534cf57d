/** Which interviews the sample is made of, of those that count: as the list of surveys is narrowed, by when they arrived. */
import mongoose from 'mongoose';
import { createdWithin } from '../http/between.ts';
import { LIMITS } from '../recruitment/limits.ts';
import { SCAN } from '../recruitment/window.ts';
import type { SampleWindow } from './schema.ts';

type Narrowed = Pick<SampleWindow, 'location' | 'from' | 'to'>;

/**
 * As a filter of surveys that are not deleted, and how they are read best; `elsewhere`: those of all other sites in
 * place of the one that is named.
 */
export function windowOf({ location, from, to }: Narrowed, zone: string, elsewhere = false) {
  const days = createdWithin({ from, to }, zone);
  const site = location === undefined ? null : new mongoose.Types.ObjectId(location);
  const place = site && { location: elsewhere ? { $ne: site } : site };
  const match = { deletedAt: null, ...place, ...days };
  const isOneSite = site && !elsewhere;
  if (from === undefined && to === undefined) return { match, how: isOneSite ? LIMITS : SCAN };
  // Else the database tries each index on the first hundred, and may take one that leads to all interviews.
  const newest = { deletedAt: 1, createdAt: -1, _id: -1 } as const;
  return { match, how: { ...LIMITS, hint: isOneSite ? { location: 1, ...newest } : newest } };
}
