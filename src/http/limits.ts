/** Rate limits, counted in MongoDB so that they hold over all processes of the service. */
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import mongoose from 'mongoose';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { problem } from './problem.ts';

interface Limit {
  name: string;
  points: number;
  /** Seconds. */
  duration: number;
}

const REQUESTS: Limit = { name: 'requests', points: 600, duration: 60 };
const SEND_AGAIN: Limit = { name: 'send-again', points: 1, duration: 30 };
const SEND_PHONE: Limit = { name: 'send-phone', points: 5, duration: 3600 };
const SEND_ADDRESS: Limit = { name: 'send-address', points: 30, duration: 3600 };

const limiters = new Map<string, RateLimiterMongo>();

/** Made before the first request: until the unique index stands, a burst could be counted twice. */
export async function prepareLimits(): Promise<void> {
  await limiter(REQUESTS).createIndexes();
}

function limiter(limit: Limit): RateLimiterMongo {
  const key = `${mongoose.connection.name} ${limit.name}`;
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
    });
    limiters.set(key, made);
  }
  return made;
}

async function consume(limit: Limit, key: string): Promise<void> {
  try {
    await limiter(limit).consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw problem('RATE_LIMITED', { headers: { 'Retry-After': String(seconds) } });
  }
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
    await consume(REQUESTS, user ? `user:${user}` : `address:${networkOf(req.ip ?? '')}`);
    next();
  };
}

/** The limits of sending a one-time code: a resend after 30 s, 5 an hour to a phone, 30 an hour from an address. */
export async function limitSending(phone: string, address: string): Promise<void> {
  // The address first: one that has had its share must not use up the codes of other people's phones.
  const network = networkOf(address);
  await consume(SEND_ADDRESS, network);
  try {
    await consume(SEND_AGAIN, phone);
    await consume(SEND_PHONE, phone);
  } catch (refused) {
    // Nothing was sent: whoever taps again and again takes nothing from others in the same office.
    await limiter(SEND_ADDRESS).reward(network, 1);
    throw refused;
  }
}

/** A code that could not be sent does not keep the caller from trying again at once. */
export async function forgiveSending(phone: string): Promise<void> {
  await limiter(SEND_AGAIN).delete(phone);
  await limiter(SEND_PHONE).reward(phone, 1);
}
