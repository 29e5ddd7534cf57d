/**
 * The time zone that decides what a day is: the study's, or else the environment's. Every request needs it, so each process
 * caches it for a second. A change reaches all processes within that time.
 */
import mongoose from 'mongoose';
import { loadStudy } from './model.ts';

const CACHE_MS = 1_000;
let cached: { store: string; until: number; zone: Promise<string | null> } | null = null;

export async function studyTimeZone({ timeZone }: { timeZone: string }): Promise<string> {
  const store = mongoose.connection.name;
  if (!cached || cached.store !== store || performance.now() >= cached.until) {
    const zone = loadStudy().then((one) => one.timeZone);
    // Don't cache a failed read.
    zone.catch(clearTimeZoneCache);
    cached = { store, until: performance.now() + CACHE_MS, zone };
  }
  return (await cached.zone) ?? timeZone;
}

/** Call after a change, so that it takes effect at once in this process. */
export function clearTimeZoneCache(): void {
  cached = null;
}
