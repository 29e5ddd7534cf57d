/** JSON Web Tokens: HS256 alone, `sub` is the user's id. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import mongoose, { type Types } from 'mongoose';
import type { Config } from '../config.ts';

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

export function signToken(config: Config, user: Types.ObjectId, now: Date): string {
  const iat = seconds(now);
  return jwt.sign({ sub: user.toHexString(), iat, exp: iat + config.jwtTtl }, keyOf(config.jwtSecret), {
    algorithm: 'HS256',
  });
}

/**
 * The owner of a token with a valid signature; null if it is malformed, forged or of another algorithm. Expired tokens
 * are refused too, but their owner is returned so that the rate limit counts the person and not the address.
 */
export function verifyToken(
  config: Config,
  token: string,
  now: Date,
): { id: Types.ObjectId; expired: boolean } | null {
  try {
    const payload = jwt.verify(token, keyOf(config.jwtSecret), {
      algorithms: ['HS256'],
      clockTimestamp: seconds(now),
      ignoreExpiration: true,
    });
    if (typeof payload !== 'object' || !payload.sub || !/^[0-9a-f]{24}$/.test(payload.sub)) return null;
    const expired = payload.exp !== undefined && payload.exp <= seconds(now);
    return { id: new mongoose.Types.ObjectId(payload.sub), expired };
  } catch {
    return null;
  }
}
