/**
 * Tokens have a session from now on. When this was recorded is what counts: tokens without one, from before, are good
 * for `JWT_TTL` after it (rules/tokens-without-session.ts).
 */
import type { Migration } from '../migrate.ts';

export const startSessions: Migration = {
  name: '2026-11-28-sessions',
  run: async () => {},
};
