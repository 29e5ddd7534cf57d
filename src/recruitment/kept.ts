/**
 * Ten open boards or pages of results cost one: an answer to the same question is kept for five seconds, and asked for once at a time.
 * After that it is counted again if anything was written meanwhile, and else within a minute.
 */
import type mongoose from 'mongoose';
import { AuditEvents } from '../audit/model.ts';
import { Questionnaires } from '../questionnaires/model.ts';
import { ReferralCodes } from '../referral-codes/model.ts';
import { Seeds } from '../seeds/model.ts';
import { Surveys } from '../surveys/model.ts';
import { lastAnswers } from './last-answers.ts';

const FRESH_MS = 5_000;
/** Time alone makes coupons expire and chains die. */
const UNCHANGED_MS = 60_000;
const MOST = 200;

interface Kept<C> {
  at: number;
  stamp: string;
  counting: C;
}

type Keeper<C> = (key: unknown[], count: () => C) => Promise<{ counting: C; unchanged: boolean }>;

/**
 * `key`: all that the answer depends on but the records. `ended`: when the counting is over; one that failed is forgotten.
 * `freshMs`: 0 where the answer is a part of others that are kept, and must not grow older in two places.
 */
export function keeping<C>(ended: (counting: C) => Promise<unknown>, freshMs = FRESH_MS): Keeper<C> {
  const kept = new Map<string, Kept<C>>();
  return async (parts, count) => {
    const key = JSON.stringify(parts);
    const time = performance.now();
    for (const [other, { at }] of kept) if (time - at > UNCHANGED_MS || kept.size >= MOST) kept.delete(other);
    const known = kept.get(key);
    if (known && time - known.at < freshMs) return { counting: known.counting, unchanged: false };
    // Before the counting: what is written while it goes on makes the next stamp another one.
    const stamp = await stampOf();
    if (known && known.stamp === stamp) return { counting: known.counting, unchanged: true };
    const newer = kept.get(key);
    if (newer && newer !== known) return { counting: newer.counting, unchanged: false };
    const counting = count();
    // As the newest of all: the oldest goes first.
    kept.delete(key);
    kept.set(key, { at: time, stamp, counting });
    ended(counting).catch(() => kept.delete(key));
    return { counting, unchanged: false };
  };
}

/** An answer that is one promise: `key` as above. */
export function keepingAnswers<T>(
  freshMs = FRESH_MS,
): (key: unknown[], make: () => Promise<T>) => Promise<T> {
  const kept = keeping<Promise<T>>((made) => made, freshMs);
  return async (key, make) => await (await kept(key, make)).counting;
}

/** The same; besides, whoever says so is given the answer that was last made, of which `name` is told (last-answers.ts). */
export function keepingLastAnswers<T>(
  name: string,
  freshMs = FRESH_MS,
): (key: unknown[], make: () => Promise<T>, maxAge?: number) => Promise<T> {
  const kept = keepingAnswers<T>(freshMs);
  const last = lastAnswers<T>(name);
  return async (key, make, maxAge) =>
    (await last.find(key, maxAge)) ??
    (await kept(key, async () => {
      const at = new Date();
      const answer = await make();
      await last.keep(key, at, answer);
      return answer;
    }));
}

/** Every change of what is counted adds a record to one of these; their sizes cost nothing to ask for. */
async function stampOf(): Promise<string> {
  const models = [AuditEvents, Surveys, ReferralCodes, Seeds, Questionnaires] as {
    collection: mongoose.Collection;
  }[];
  return (await Promise.all(models.map((one) => one.collection.estimatedDocumentCount()))).join();
}
