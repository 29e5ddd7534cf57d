/** Roles, from the fewest permissions to the most. */
import type { User } from '../../wire.ts';

export const ROLES: readonly User['role'][] = ['VOLUNTEER', 'MANAGER', 'ADMIN', 'SUPER_ADMIN'];
