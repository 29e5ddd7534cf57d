/** Who a request counts toward, wherever callers share a resource. */
import type { Request } from 'express';
import { networkPrefixOfAddress } from './rate-limits.ts';

/** The user's id, or the network address if nobody is signed in. */
export function userOrNetworkOf(req: Request): string {
  const user = (req.actor ?? req.signedIn)?.user._id.toHexString();
  return user ?? networkPrefixOfAddress(req.ip ?? '');
}
