/** Whom a request counts for, wherever callers share something. */
import type { Request } from 'express';
import { networkOf } from './rate-limits.ts';

/** The user, or the network of somebody who is not signed in. */
export function userOrNetworkOf(req: Request): string {
  const user = (req.actor ?? req.signedIn)?.user._id.toHexString();
  return user ?? networkOf(req.ip ?? '');
}
