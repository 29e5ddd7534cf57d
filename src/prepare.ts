/** What the database must hold before the service works: the present shapes, indexes, what each subject begins with. */
import { createCollection, ensureIndexes } from './db/connect.ts';
import { mendRecords } from './db/mend.ts';
import { migrate } from './db/migrate.ts';
import { MIGRATIONS } from './db/migrations/all.ts';
import { prepareLimits } from './http/limits.ts';
import type { Log } from './log.ts';
import { MODELS, SUBJECTS } from './subjects.ts';

/**
 * Harmless when repeated, and when several processes start at once. What is stored changes first: an index of this
 * version may not fit what an earlier one wrote.
 */
export async function prepareDatabase(now: Date, log?: Log): Promise<void> {
  await migrate(MIGRATIONS, log ? { log } : {});
  await ensureIndexes(MODELS);
  const mended = await mendRecords();
  if (mended > 0) log?.warn(`An earlier version wrote to this database: ${mended} records were mended.`);
  await prepareLimits();
  // Made before a transaction first needs it: a collection can't be born in one that another transaction races.
  await createCollection('locks');
  for (const one of SUBJECTS) await one.prepare?.(now);
}
