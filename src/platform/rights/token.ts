/** JSON Web Tokens: only HS256; `sub` is the user's id. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import mongoose, { type Types } from 'mongoose';
import type { Config } from '../config.ts';
import { LruCache } from '../lib/lru-cache.ts';
import type { RequestCaller, SessionOfToken } from './actor.ts';

const keys = new Map<string, KeyObject>();

/** Cached, because creating the key object costs more than checking a token. */
function keyOf(secret: string): KeyObject {
  let key = keys.get(secret);
  if (!key) {
    key = createSecretKey(Buffer.from(secret, 'utf8'));
    keys.set(secret, key);
  }
  return key;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

type Owner = Pick<RequestCaller, '_id' | 'tokenGeneration'>;

export function signToken(config: Config, user: Owner, session: SessionId, now: Date): string {
  return sign(config, user, session, { iat: seconds(now), exp: seconds(now) + config.jwtTtl });
}

/** What a token may be used for: everything, or only this; see users/sessions.ts. */
const PURPOSES = ['send', 'signOut'] as const;
type Purpose = 'all' | (typeof PURPOSES)[number];

/** Can only be used to send finished interviews. */
export function signSendToken(
  config: Config,
  user: Owner,
  session: SessionId,
  { now, until }: { now: Date; until: Date },
): string {
  return sign(config, user, session, { iat: seconds(now), exp: seconds(until), use: 'send' });
}

/** Can only be used to end its session. The same each time, so that a device stores it once. */
export const signSignOutToken = (
  config: Config,
  user: Owner,
  session: SessionId & { createdAt: Date; expiresAt: Date },
): string =>
  sign(config, user, session, {
    ...{ iat: seconds(session.createdAt), exp: seconds(session.expiresAt), use: 'signOut' },
  });

type SessionId = Pick<SessionOfToken, 'id'>;

function sign({ jwtSecret }: Config, user: Owner, { id }: SessionId, claims: object): string {
  const payload = { sub: user._id.toHexString(), sid: id.toHexString(), ...claims };
  // Omitted for generation 0, as in tokens of older versions, which had no generations.
  const { tokenGeneration: gen } = user;
  return jwt.sign(gen ? { ...payload, gen } : payload, keyOf(jwtSecret), { algorithm: 'HS256' });
}

export interface TokenClaims {
  id: Types.ObjectId;
  /** The token is valid while this is the user's `tokenGeneration`. */
  generation: number;
  /** Null for tokens issued before there were sessions. */
  session: Types.ObjectId | null;
  /** Null if this version doesn't know the purpose, so that the token can't be used. */
  purpose: Purpose | null;
  /** Signed with the previous secret. */
  isFormer: boolean;
  expired: boolean;
}

/**
 * The owner of a token with a valid signature; null if it is malformed, forged, has no expiry or uses another
 * algorithm. Expired tokens are refused too, but their owner is returned so that the rate limit counts the person and
 * not the address.
 */
export function verifyToken(config: Config, token: string, now: Date): TokenClaims | null {
  const verified = verifiedTokens.get(config) ?? new LruCache<VerifiedToken>(MAX_VERIFIED_TOKENS);
  verifiedTokens.set(config, verified);
  const verifiedToken = verified.get(token) ?? verifySignature(config, token, now);
  if (!verifiedToken) return null;
  verified.set(token, verifiedToken);
  const { expiresAt, ...owner } = verifiedToken;
  return { ...owner, expired: expiresAt <= seconds(now) };
}

type VerifiedToken = Omit<TokenClaims, 'expired'> & { expiresAt: number };

/**
 * Caches the result, because checking the signature takes longer than all other checks of a token, and never changes.
 */
const verifiedTokens = new WeakMap<Config, LruCache<VerifiedToken>>();
const MAX_VERIFIED_TOKENS = 2_000;

function verifySignature(config: Config, token: string, now: Date): VerifiedToken | null {
  const current = payloadOf(token, config.jwtSecret, now);
  const payload = current ?? payloadOf(token, config.jwtSecretPrevious, now);
  const id = parseId(payload?.sub);
  const session = payload?.sid === undefined ? null : parseId(payload.sid);
  if (!payload || !id || payload.exp === undefined || (payload.sid !== undefined && !session)) return null;
  return {
    ...{ id, generation: payload.gen ?? 0, session, purpose: purposeOf(payload) },
    ...{ isFormer: current === null, expiresAt: payload.exp },
  };
}

const purposeOf = ({ use }: Payload): Purpose | null =>
  use === undefined ? 'all' : (PURPOSES.find((one) => one === use) ?? null);

const parseId = (text: unknown): Types.ObjectId | null =>
  typeof text === 'string' && /^[0-9a-f]{24}$/.test(text) ? new mongoose.Types.ObjectId(text) : null;

type Payload = jwt.JwtPayload & { gen?: number; sid?: string; use?: string };

function payloadOf(token: string, secret: string | undefined, now: Date): Payload | null {
  if (secret === undefined) return null;
  try {
    const options = { clockTimestamp: seconds(now), ignoreExpiration: true, algorithms: ['HS256' as const] };
    const payload = jwt.verify(token, keyOf(secret), options);
    return typeof payload === 'object' ? payload : null;
  } catch {
    return null;
  }
}
