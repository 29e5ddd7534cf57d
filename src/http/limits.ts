/** Rate limits, counted in MongoDB so that they hold over all processes of the service. */
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import mongoose from 'mongoose';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { type Problem, problem } from './problem.ts';

export interface Limit {
  name: string;
  points: number;
  /** Seconds. */
  duration: number;
}

const REQUESTS: Limit = { name: 'requests', points: 600, duration: 60 };
/** Of requests without a token, or with one that nobody signed: they share no count with honest ones. */
const UNSIGNED: Limit = { name: 'unsigned', points: 600, duration: 60 };
/**
 * Of the app's and the documentation's files. A phone loads some hundred of them with each new version, and all phones
 * of an office have one address: room for sixty phones in a minute, since none of these files costs any work.
 */
const FILES: Limit = { name: 'files', points: 6_000, duration: 60 };
/** So many are counted at a time. */
const FILES_COUNTED = 60;
/** Of those whose last few files are not counted yet. */
const MOST_ADDRESSES = 10_000;
/** Of what is estimated of all interviews at once. */
const ANALYSIS: Limit = { name: 'analysis', points: 60, duration: 60 };

/** The collection with the counts; each ends by itself. */
export const RATE_LIMITS = 'ratelimits';

const limiters = new Map<string, RateLimiterMongo>();

/** Made before the first request: until the unique index stands, a burst could be counted twice. */
export async function prepareLimits(): Promise<void> {
  await limiter(REQUESTS).createIndexes();
}

function limiter(limit: Limit): RateLimiterMongo {
  const key = `${mongoose.connection.name} ${limit.name} ${limit.points}`;
  let made = limiters.get(key);
  if (!made) {
    made = new RateLimiterMongo({
      storeClient: mongoose.connection,
      dbName: mongoose.connection.name,
      tableName: RATE_LIMITS,
      disableIndexesCreation: true,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.duration,
      // Who is far beyond it costs the database nothing until the count ends.
      ...(limit === UNSIGNED ? { inMemoryBlockOnConsumed: limit.points + 1 } : {}),
    });
    limiters.set(key, made);
  }
  return made;
}

export async function consume(limit: Limit, key: string): Promise<void> {
  try {
    await limiter(limit).consume(key);
  } catch (refused) {
    throw refused instanceof RateLimiterRes ? tooMany(refused) : refused;
  }
}

/** What was counted for nothing. */
export async function giveBack(limit: Limit, key: string): Promise<void> {
  await limiter(limit).reward(key, 1);
}

/** Refuses where nothing is left, and counts nothing. */
export async function requireSomeLeft(limit: Limit, key: string): Promise<void> {
  const count = await limiter(limit).get(key);
  if (count && count.consumedPoints >= limit.points) throw tooMany(count);
}

function tooMany({ msBeforeNext }: Pick<RateLimiterRes, 'msBeforeNext'>): Problem {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return problem('RATE_LIMITED', { headers: { 'Retry-After': String(seconds) } });
}

/** An IPv6 customer holds a network of 2^64 addresses, so its first half counts as one; an IPv4 address as itself. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6 || address.includes('.')) return address;
  const [before = '', after] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const [head, tail] = [groups(before), groups(after)];
  const gap = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const network = [...head, ...gap, ...tail].slice(0, 4);
  return network.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** The general limit: per user where one is signed in, else per address. */
export function limitRequests(): RequestHandler {
  return async (req, _res, next) => {
    const user = (req.actor ?? req.signedIn)?.user._id.toHexString();
    await (user ? limitUser(user) : consume(REQUESTS, `address:${networkOf(req.ip ?? '')}`));
    next();
  };
}

/** One count a user, whatever is answered: an account that waits for approval has no more than an approved one. */
export const limitUser = (user: string): Promise<void> => consume(REQUESTS, `user:${user}`);

export const limitAnalysis = (user: string): Promise<void> => consume(ANALYSIS, `user:${user}`);

/**
 * Requests that name nobody. Counted by network, and apart from everything that an honest person behind the same
 * address sends: public pages, sign-in, and each user's own requests go on when these are used up.
 */
export const limitUnsigned = (address: string): Promise<void> =>
  consume(UNSIGNED, `address:${networkOf(address)}`);

/**
 * Everything outside the API. Nobody waits for the count, and it is told to the database only now and then: the app is
 * served while the database is out of reach.
 */
export function limitFiles(): RequestHandler {
  const seen = new Map<string, { uncounted: number; refusedUntil: number }>();
  const count = async (address: string) => {
    try {
      await limiter(FILES).consume(address, FILES_COUNTED);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) return;
      seen.set(address, { uncounted: 0, refusedUntil: Date.now() + error.msBeforeNext });
    }
  };
  return (req, _res, next) => {
    const address = networkOf(req.ip ?? '');
    const found = seen.get(address) ?? { uncounted: 0, refusedUntil: 0 };
    const msBeforeNext = found.refusedUntil - Date.now();
    if (msBeforeNext > 0) throw tooMany({ msBeforeNext });
    if (seen.size > MOST_ADDRESSES) seen.clear();
    seen.set(address, found);
    found.uncounted += 1;
    if (found.uncounted >= FILES_COUNTED) {
      found.uncounted = 0;
      void count(address);
    }
    next();
  };
}
