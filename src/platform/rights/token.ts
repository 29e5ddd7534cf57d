/** JSON Web Tokens: only HS256; `sub` is the user's id. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import mongoose, { type Types } from 'mongoose';
import type { Config } from '../config.ts';
import type { Person } from './actor.ts';

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

export function signToken(config: Config, user: Pick<Person, '_id' | 'tokenGeneration'>, now: Date): string {
  const iat = seconds(now);
  const claims = { sub: user._id.toHexString(), iat, exp: iat + config.jwtTtl };
  // Absent in the first generation, as in tokens of versions that had none.
  const { tokenGeneration: gen } = user;
  return jwt.sign(gen ? { ...claims, gen } : claims, keyOf(config.jwtSecret), { algorithm: 'HS256' });
}

export interface TokenOwner {
  id: Types.ObjectId;
  /** The token is good while this is the user's `tokenGeneration`. */
  generation: number;
  expired: boolean;
}

/**
 * The owner of a token with a valid signature; null if it is malformed, forged, without an end or of another algorithm. Expired tokens
 * are refused too, but their owner is returned so that the rate limit counts the person and not the address.
 */
export function verifyToken(config: Config, token: string, now: Date): TokenOwner | null {
  const payload = payloadOf(token, config.jwtSecret, now) ?? payloadOf(token, config.jwtSecretPrevious, now);
  if (!payload?.sub || !/^[0-9a-f]{24}$/.test(payload.sub)) return null;
  if (payload.exp === undefined) return null;
  const expired = payload.exp <= seconds(now);
  return { id: new mongoose.Types.ObjectId(payload.sub), generation: payload.gen ?? 0, expired };
}

type Payload = jwt.JwtPayload & { gen?: number };

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
