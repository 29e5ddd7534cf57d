/** The named conditions used by role rules and grants, as queries. */
import type { Types } from 'mongoose';
import { dayBoundsAt, isoDateAt } from '../../platform/lib/day.ts';
import type { Role } from '../../study/users/schema.ts';

export interface AccessConditionContext {
  user: { _id: Types.ObjectId };
  /** The user's current location. */
  location: Types.ObjectId | null;
  now: Date;
  timeZone: string;
}

const hasRole = (...roles: Role[]) => ({ role: { $in: roles } });

export function namedAccessConditions({ user, location, now, timeZone }: AccessConditionContext) {
  const today = dayBoundsAt(now, timeZone);
  return {
    IS_SELF: { _id: user._id },
    IS_CREATED_BY_SELF: { createdBy: user._id },
    IS_CREATED_BY_OTHERS: { createdBy: { $ne: user._id } },
    IS_IMPORTED_BY_SELF: { importedBy: user._id },
    WAS_CREATED_TODAY: { createdAt: { $gte: today.start, $lt: today.end } },
    IS_FOR_TODAY: { day: isoDateAt(now, timeZone) },
    WAS_RECORDED_TODAY: { recordedAt: { $gte: today.start, $lt: today.end } },
    IS_PAID_BY_SELF: { paidBy: user._id },
    // Without a current location this must match nothing, not records without a location.
    HAS_SAME_LOCATION: location ? { location } : { location: { $in: [] } },
    HAS_RETENTION_PERIOD: { retentionDays: { $ne: null } },
    // Only with operators that the client's matcher supports.
    HAS_GRANTS: { permissions: { $elemMatch: {} } },
    HAS_VOLUNTEER_ROLE: hasRole('VOLUNTEER'),
    HAS_MANAGER_ROLE: hasRole('MANAGER'),
    HAS_ADMIN_ROLE: hasRole('ADMIN'),
    HAS_ROLE: hasRole,
  };
}
