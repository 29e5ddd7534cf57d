/**
 * The study's settings, which every request needs. Each process caches them for a second, so a change reaches all
 * processes within that time.
 */
import mongoose from 'mongoose';
import { loadStudy, type StudyRecord } from './model.ts';

const CACHE_MS = 1_000;
let cached: { store: string; until: number; study: Promise<StudyRecord> } | null = null;

export function cachedStudy(): Promise<StudyRecord> {
  const store = mongoose.connection.name;
  if (!cached || cached.store !== store || performance.now() >= cached.until) {
    const study = loadStudy();
    // Don't cache failed reads.
    study.catch(clearStudyCache);
    cached = { store, until: performance.now() + CACHE_MS, study };
  }
  return cached.study;
}

/** Call after a change, so that it takes effect at once in this process. */
export function clearStudyCache(): void {
  cached = null;
}
