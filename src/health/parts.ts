/** The parts that the service needs to take requests. */
import { statfs } from 'node:fs/promises';
import mongoose from 'mongoose';
import type { Config } from '../config.ts';
import { isMigrated } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations/all.ts';
import { problem } from '../http/problem.ts';

/** Below this the service's own mongod is about to stop. */
const MIN_FREE_BYTES = 20 * 2 ** 20;

/** Throws 503 with all parts, of which at least one is false. */
export async function requireParts(config: Pick<Config, 'mongoUri' | 'dataDir'>): Promise<void> {
  const [database, disk] = await Promise.all([isDatabaseReady(), hasSpace(config)]);
  // They were applied before this process listened; without the database nothing else is known.
  const migrations = !database || (await isMigrated(MIGRATIONS).catch(() => true));
  const parts = { database, migrations, disk };
  if (Object.values(parts).includes(false)) throw problem('UNAVAILABLE', { parts });
}

async function isDatabaseReady(): Promise<boolean> {
  if (mongoose.connection.readyState !== 1) return false;
  const pinged = mongoose.connection.db?.command({ ping: 1, maxTimeMS: 2000 });
  return (
    (await pinged?.then(
      () => true,
      () => false,
    )) === true
  );
}

/** Of the disk that the service itself writes data to, which it does only without `MONGO_URI`. */
async function hasSpace({ mongoUri, dataDir }: Pick<Config, 'mongoUri' | 'dataDir'>): Promise<boolean> {
  if (mongoUri !== undefined) return true;
  const found = await statfs(dataDir).catch(() => null);
  return found === null || found.bavail * found.bsize >= MIN_FREE_BYTES;
}
