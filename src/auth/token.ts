/** JSON Web Tokens: HS256 alone, `sub` is the user's id. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import mongoose, { type Types } from 'mongoose';
import type { Config } from '../config.ts';

const keys = new Map<string, KeyObject>();

/** A key object is made once: making it from the text at each request costs more than the check itself. */
function keyOf(secret: string): KeyObject {
  let key = keys.get(secret);
  if (!key) {
    key = createSecretKey(Buffer.from(secret, 'utf8'));
    keys.set(secret, key);
  }
  return key;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

export function tokenFor(config: Config, user: Types.ObjectId, now: Date): string {
  const iat = seconds(now);
  return jwt.sign({ sub: user.toHexString(), iat, exp: iat + config.jwtTtl }, keyOf(config.jwtSecret), {
    algorithm: 'HS256',
  });
}

/** The user's id, or null for a token that is malformed, forged, expired or of another algorithm. */
export function userIdOf(config: Config, token: string, now: Date): Types.ObjectId | null {
  try {
    const payload = jwt.verify(token, keyOf(config.jwtSecret), {
      algorithms: ['HS256'],
      clockTimestamp: seconds(now),
    });
    const sub = typeof payload === 'object' ? payload.sub : undefined;
    return sub && /^[0-9a-f]{24}$/.test(sub) ? new mongoose.Types.ObjectId(sub) : null;
  } catch {
    return null;
  }
}
