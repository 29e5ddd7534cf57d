/** The database of a command: the service's own one under DATA_DIR, running or not, or the one that MONGO_URI names. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../src/config.ts';
import { connect, disconnect } from '../src/db/connect.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import type { Log } from '../src/log.ts';

/** Connected while `work` runs. The own mongod is left running where the service, or another command, uses it. */
export async function withDatabase<T>(config: Config, log: Log, work: () => Promise<T>): Promise<T> {
  const { mongoUri, dataDir, mongodBinary: binary } = config;
  const isNew = !mongoUri && !existsSync(join(dataDir, 'mongo'));
  const own = mongoUri ? null : await startEmbedded({ dataDir, binary, log });
  try {
    await connect(mongoUri ?? own?.uri ?? '');
    if (isNew) log.warn(`There was no database in ${dataDir}: a new one was made, and it is empty.`);
    return await work();
  } finally {
    await disconnect();
    await own?.stop();
  }
}
