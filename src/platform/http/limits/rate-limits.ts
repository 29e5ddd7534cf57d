/** Rate limits, counted in MongoDB so that they apply across all processes. */
import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import mongoose from 'mongoose';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { LruCache } from '../../lib/lru-cache.ts';
import { type Problem, problem } from '../problems/problem.ts';

export interface RateLimit {
  name: string;
  points: number;
  /** In seconds. */
  duration: number;
}

const SIGNED_REQUESTS: RateLimit = { name: 'requests', points: 600, duration: 60 };
/** For requests without a valid token, counted separately so that they don't use up the limit of others. */
const UNSIGNED_REQUESTS: RateLimit = { name: 'unsigned', points: 600, duration: 60 };
/**
 * For the files of the app and the documentation. A phone loads about a hundred with each new version, and all phones of an
 * office share one address: enough for sixty phones a minute, since serving a file is cheap.
 */
const FILE_REQUESTS: RateLimit = { name: 'files', points: 6_000, duration: 60 };
/** Files are counted in batches of this size. */
const FILE_BATCH = 60;
/** How many addresses with an incomplete batch are remembered, and how many refused ones. */
const MAX_ADDRESSES = 10_000;
/** For pages of coupons, which read the database. Enough for everyone who scans one in a shelter's Wi-Fi. */
const COUPON_PAGES: RateLimit = { name: 'coupon-pages', points: 300, duration: 3600 };
/** For estimates, which read all interviews. */
const ANALYSIS_REQUESTS: RateLimit = { name: 'analysis', points: 60, duration: 60 };

/** The collection of the counters, which expire automatically. */
export const RATE_LIMIT_COLLECTION = 'ratelimits';

/** Null until `setLimitSecret` is called; without the secret, processes wouldn't share their counters. */
let secret: string | null = null;

/**
 * Counters are stored under a hash of the phone or address, because mongod's log quotes the keys when two requests
 * race.
 */
class HashedLimiter extends RateLimiterMongo {
  override getKey(key: string | number): string {
    return storedKey(this.keyPrefix, String(key));
  }
}

function storedKey(prefix: string, key: string): string {
  if (secret === null) throw new Error('setLimitSecret() has to be called before anything is counted.');
  return `${prefix}:${createHmac('sha256', secret).update(key).digest('base64url')}`;
}

/** Limiters by connection, dropped together with it. */
const limiters = new WeakMap<mongoose.mongo.MongoClient, Map<string, RateLimiterMongo>>();

/** Call before the first request, in every process with the same secret. */
export function setLimitSecret(value: string): void {
  secret = value;
}

/** Call before the first request: without the unique index a burst could be counted twice. */
export async function prepareRateLimits(): Promise<void> {
  await limiter(SIGNED_REQUESTS).createIndexes();
}

function limiter(limit: RateLimit): RateLimiterMongo {
  const client = mongoose.connection.getClient();
  const ofClient = limiters.get(client) ?? new Map<string, RateLimiterMongo>();
  limiters.set(client, ofClient);
  const key = `${limit.name} ${limit.points}`;
  let rateLimiter = ofClient.get(key);
  if (!rateLimiter) {
    rateLimiter = new HashedLimiter({
      storeClient: mongoose.connection,
      dbName: mongoose.connection.name,
      tableName: RATE_LIMIT_COLLECTION,
      disableIndexesCreation: true,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.duration,
      // Callers far above the limit are refused without a database query.
      ...(limit === UNSIGNED_REQUESTS ? { inMemoryBlockOnConsumed: limit.points + 1 } : {}),
    });
    ofClient.set(key, rateLimiter);
  }
  return rateLimiter;
}

export async function countAgainstLimit(limit: RateLimit, key: string): Promise<void> {
  try {
    await limiter(limit).consume(key);
  } catch (error) {
    throw error instanceof RateLimiterRes ? tooMany(error) : error;
  }
}

/** Takes back one `countAgainstLimit`. */
export async function uncountAgainstLimit(limit: RateLimit, key: string): Promise<void> {
  await limiter(limit).reward(key, 1);
}

/** Refuses if nothing is left, without counting. */
export async function requireRateLimitNotReached(limit: RateLimit, key: string): Promise<void> {
  const count = await limiter(limit).get(key);
  if (count && count.consumedPoints >= limit.points) throw tooMany(count);
}

function tooMany({ msBeforeNext }: Pick<RateLimiterRes, 'msBeforeNext'>): Problem {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return problem('RATE_LIMITED', { headers: { 'Retry-After': String(seconds) } });
}

/** The first half of an IPv6 address, because one customer has 2^64 of them; an IPv4 address unchanged. */
export function networkPrefixOfAddress(address: string): string {
  if (isIP(address) !== 6 || address.includes('.')) return address;
  const [before = '', after] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const [head, tail] = [groups(before), groups(after)];
  const gap = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const network = [...head, ...gap, ...tail].slice(0, 4);
  return network.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** The general limit: per user if signed in, otherwise per address. */
export function limitRequests(): RequestHandler {
  return async (req, _res, next) => {
    const user = (req.actor ?? req.signedIn)?.user._id.toHexString();
    await (user
      ? limitUser(user)
      : countAgainstLimit(SIGNED_REQUESTS, `address:${networkPrefixOfAddress(req.ip ?? '')}`));
    next();
  };
}

/** The counter key for requests from an address when nobody is signed in. */
export const rateLimitKeyOfAddress = (address: string): string =>
  storedKey(SIGNED_REQUESTS.name, `address:${networkPrefixOfAddress(address)}`);

/** One counter per user, whether their requests are refused or not. */
export const limitUser = (user: string): Promise<void> => countAgainstLimit(SIGNED_REQUESTS, `user:${user}`);

export const limitAnalysis = (user: string): Promise<void> =>
  countAgainstLimit(ANALYSIS_REQUESTS, `user:${user}`);

/**
 * For requests without a valid token. They have their own counter per network, so that others on the same network can
 * still use public pages, sign in and send requests.
 */
export const limitUnsignedRequests = (address: string): Promise<void> =>
  countAgainstLimit(UNSIGNED_REQUESTS, `address:${networkPrefixOfAddress(address)}`);

/** By address. */
export function limitCouponPages(): RequestHandler {
  return async (req, _res, next) => {
    await countAgainstLimit(COUPON_PAGES, networkPrefixOfAddress(req.ip ?? ''));
    next();
  };
}

/**
 * For everything outside the API. Counts are written to the database in batches and not awaited, so that the app is served
 * even if the database is unreachable.
 */
export function limitFileRequests(): RequestHandler {
  const uncounted = new LruCache<number>(MAX_ADDRESSES);
  // A separate cache, so that requests from other addresses don't evict a refusal that took thousands of requests to
  // earn.
  const refusedUntil = new LruCache<number>(MAX_ADDRESSES);
  const count = async (address: string) => {
    try {
      await limiter(FILE_REQUESTS).consume(address, FILE_BATCH);
    } catch (error) {
      if (error instanceof RateLimiterRes) refusedUntil.set(address, Date.now() + error.msBeforeNext);
    }
  };
  return (req, _res, next) => {
    const address = networkPrefixOfAddress(req.ip ?? '');
    const msBeforeNext = (refusedUntil.get(address) ?? 0) - Date.now();
    if (msBeforeNext > 0) throw tooMany({ msBeforeNext });
    const requests = (uncounted.get(address) ?? 0) + 1;
    uncounted.set(address, requests % FILE_BATCH);
    if (requests >= FILE_BATCH) void count(address);
    next();
  };
}
