/** Rate limits, counted in MongoDB so that they hold over all processes of the service. */
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import mongoose from 'mongoose';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { type Problem, problem } from './problem.ts';

interface Limit {
  name: string;
  points: number;
  /** Seconds. */
  duration: number;
}

const DAY = 86_400;
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
const SEND_AGAIN: Limit = { name: 'send-again', points: 1, duration: 30 };
const SEND_PHONE: Limit = { name: 'send-phone', points: 5, duration: 3600 };
const SEND_PHONE_A_DAY: Limit = { name: 'send-phone-day', points: 10, duration: DAY };
const SEND_ADDRESS: Limit = { name: 'send-address', points: 30, duration: 3600 };

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
      tableName: 'ratelimits',
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

async function consume(limit: Limit, key: string): Promise<void> {
  try {
    await limiter(limit).consume(key);
  } catch (refused) {
    throw refused instanceof RateLimiterRes ? tooMany(refused) : refused;
  }
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

/**
 * The limits of sending a one-time code. From one address to one phone: again after 30 s, 5 an hour, so that a stranger
 * elsewhere uses up nobody's. To one phone from all addresses: 10 a day. From one address: 30 an hour.
 */
export async function limitSending(phone: string, address: string): Promise<void> {
  // The address first: one that has had its share must not use up the codes of other people's phones.
  const network = networkOf(address);
  await consume(SEND_ADDRESS, network);
  try {
    await consume(SEND_AGAIN, `${phone} ${network}`);
    await consume(SEND_PHONE, `${phone} ${network}`);
    await consume(SEND_PHONE_A_DAY, phone);
  } catch (refused) {
    // Nothing was sent: whoever taps again and again takes nothing from others in the same office.
    await limiter(SEND_ADDRESS).reward(network, 1);
    throw refused;
  }
}

/** Of one range of numbers, which one company holds: its last four digits are its own to give away. */
const rangeOf = (phone: string) => phone.slice(0, -4);

/**
 * What codes may cost in a day, against those who earn by having them sent to their own ranges of numbers: to new people
 * a number over all phones, a tenth of it to one range. Those with an account have as many for themselves, so that
 * whoever uses up the one keeps nobody from signing in.
 */
export async function capSignUps(phone: string, perDay: number): Promise<void> {
  const day = { name: 'sign-up-codes', points: perDay, duration: DAY };
  await consume(day, 'all');
  try {
    await consume({ name: 'range-codes', points: Math.ceil(perDay / 10), duration: DAY }, rangeOf(phone));
  } catch (refused) {
    await limiter(day).reward('all', 1);
    throw refused;
  }
}

/** Only what is sent counts; once it is used up, all are refused alike, with an account or without. */
export async function capLogins(sent: boolean, perDay: number): Promise<void> {
  const day = { name: 'login-codes', points: perDay, duration: DAY };
  if (sent) return await consume(day, 'all');
  const count = await limiter(day).get('all');
  if (count && count.consumedPoints >= perDay) throw tooMany(count);
}
