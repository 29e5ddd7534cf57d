/**
 * Tokens issued before there were sessions: valid until they expire, but at most `JWT_TTL` after the migration, because
 * the limit may have been longer before.
 */
import mongoose from 'mongoose';
import { migrationRanAt } from '../../platform/db/migrate.ts';
import { sessionsMigration } from '../../platform/db/migrations/2026-11-28-sessions.ts';

/** Cached per connection, because its database is migrated before the first request. */
const migrated = new WeakMap<object, Date>();

export async function areSessionlessTokensAllowed(jwtTtl: number, now: Date): Promise<boolean> {
  const client = mongoose.connection.getClient();
  const at = migrated.get(client) ?? (await migrationRanAt(sessionsMigration.name));
  if (!at) return false;
  migrated.set(client, at);
  return now.getTime() < at.getTime() + jwtTtl * 1000;
}
