/**
 * From now on tokens have a session. Only the time of this migration matters: older tokens without one remain valid for
 * `JWT_TTL` after it (rules/tokens-without-session.ts).
 */
import type { Migration } from '../migrate.ts';

export const sessionsMigration: Migration = {
  name: '2026-11-28-sessions',
  run: async () => {},
};
