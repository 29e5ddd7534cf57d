/** Prepares the database before the service starts: migrations, indexes, initial records. */
import { createCollection, ensureIndexes } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { MIGRATIONS } from './db/migrations/all.ts';
import { mendRecords } from './db/repair.ts';
import { prepareLimits } from './http/rate-limits.ts';
import type { Log } from './log.ts';
import { MODELS, SUBJECTS } from './subjects.ts';

/**
 * Safe to repeat, and in several processes at once. Migrations come first, because an index of this version may not fit
 * the data of an earlier one.
 */
export async function prepareDatabase(now: Date, log?: Log): Promise<void> {
  await migrate(MIGRATIONS, log ? { log } : {});
  await ensureIndexes(MODELS);
  const mended = await mendRecords();
  if (mended > 0) log?.warn(`An earlier version wrote to this database: ${mended} records were mended.`);
  await prepareLimits();
  // Created here, because two transactions that create it at the same time would fail.
  await createCollection('locks');
  for (const one of SUBJECTS) await one.prepare?.(now);
}
