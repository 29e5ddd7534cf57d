/** The named conditions that role rules and grants share, as queries. */
import type { Types } from 'mongoose';
import { dayOf } from '../lib/day.ts';
import type { Role } from '../users/schema.ts';

export interface Viewpoint {
  user: { _id: Types.ObjectId };
  /** The user's current location. */
  location: Types.ObjectId | null;
  now: Date;
  timeZone: string;
}

const hasRole = (...roles: Role[]) => ({ role: { $in: roles } });

/** The conditions as queries, seen from one user at one moment. */
export function conditionsFor({ user, location, now, timeZone }: Viewpoint) {
  const today = dayOf(now, timeZone);
  return {
    IS_SELF: { _id: user._id },
    IS_CREATED_BY_SELF: { createdBy: user._id },
    WAS_CREATED_TODAY: { createdAt: { $gte: today.start, $lt: today.end } },
    // Without a current location nothing is at the same one: null never equals null.
    HAS_SAME_LOCATION: location ? { location } : { location: { $in: [] } },
    HAS_VOLUNTEER_ROLE: hasRole('VOLUNTEER'),
    HAS_MANAGER_ROLE: hasRole('MANAGER'),
    HAS_ADMIN_ROLE: hasRole('ADMIN'),
    HAS_ROLE: hasRole,
  };
}
