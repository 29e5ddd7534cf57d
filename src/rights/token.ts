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

/**
 * Whose token it is, by our own signature; null for one that is malformed, forged or of another algorithm. `expired`
 * ones still tell whose they were: refused, but counted as that person's and not as a stranger's at the same address.
 */
export function ownerOf(
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
