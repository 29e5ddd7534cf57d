/**
 * The database of a command: the service's own one under DATA_DIR, whether running or not, or the one in MONGO_URI.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { finishInterruptedRestore } from '../src/operations/backup/swap.ts';
import type { Config } from '../src/platform/config.ts';
import { connect, disconnect } from '../src/platform/db/connect.ts';
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded.ts';
import { runUnlessRestoring } from '../src/platform/db/restore-lock.ts';
import { runDry } from '../src/platform/db/transaction.ts';
import { setDuplicateKeyProblems } from '../src/platform/http/problems/errors.ts';
import type { Log } from '../src/platform/log.ts';
import { PROBLEMS_BY_UNIQUE_INDEX, prepareDatabase } from '../src/resources.ts';
import { signal, unlessInterrupted } from './interruption.ts';

/** Connected while `work` runs. The own mongod is left running where the service, or another command, uses it. */
export async function withDatabase<T>(config: Config, log: Log, work: () => Promise<T>): Promise<T> {
  const { mongoUri, dataDir, mongodBinary: binary } = config;
  const isNew = !mongoUri && !existsSync(join(dataDir, 'mongo'));
  const own = mongoUri ? null : await startEmbeddedDatabase({ dataDir, binary, log });
  try {
    await connect(mongoUri ?? own?.uri ?? '');
    if (isNew) log.warn(`There was no database in ${dataDir}, so a new, empty one was created.`);
    return await work();
  } finally {
    await disconnect();
    await own?.stop();
  }
}

/** With `prepare`, an action finds the database as this version needs it; with `dryRun`, nothing of what it does stays. */
export async function onDatabase<T>(
  action: () => Promise<T>,
  {
    config,
    now,
    log,
    prepare,
    dryRun,
  }: { config: Config; now: Date; log: Log; prepare: boolean; dryRun: boolean },
): Promise<T> {
  setDuplicateKeyProblems(PROBLEMS_BY_UNIQUE_INDEX);
  const work = async () => {
    if (prepare) await prepareDatabase(now, log, config.timeZone);
    signal.throwIfAborted();
    return await (dryRun ? runDry(action) : action());
  };
  const attached = () =>
    prepare ? runUnlessRestoring(() => finishInterruptedRestore(now, log), work) : work();
  return await withDatabase(config, log, () => unlessInterrupted(attached()));
}
