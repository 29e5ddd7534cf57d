/**
 * The connection: mongoose's default one, which every model uses. The time limits are short, because during an outage
 * a request shall answer 503 within seconds instead of waiting in a buffer; the driver's errors go up unchanged.
 */
import os from 'node:os';
import mongoose, { type ConnectOptions } from 'mongoose';
import type { AnyModel } from './schema-options.ts';

const DEFAULT_DATABASE = 'field_survey';

const OPTIONS: ConnectOptions = {
  autoIndex: false,
  autoCreate: false,
  bufferCommands: false,
  // A database that falls silent is noticed after connectTimeoutMS + heartbeatFrequencyMS; the request is then tried
  // on another one for serverSelectionTimeoutMS. Together they stay below ten seconds.
  serverSelectionTimeoutMS: 4_000,
  connectTimeoutMS: 3_000,
  waitQueueTimeoutMS: 4_000,
  heartbeatFrequencyMS: 2_000,
  // Longer than any request takes, but an index over a million records must get built.
  socketTimeoutMS: 60_000,
  retryWrites: true,
  writeConcern: { w: 'majority' },
  // Handed over, because the driver's own `import('os')` is refused inside Jest and its failure is swallowed.
  runtimeAdapters: { os },
};

/** The database is `dbName`, else the one that the URI names, else `field_survey`. */
export async function connect(uri: string, dbName = databaseOf(uri)): Promise<void> {
  await mongoose.connect(uri, { ...OPTIONS, dbName });
}

/**
 * Collections first: a transaction may not make one together with an index build. Both steps are harmless when
 * repeated, and when several processes start at once.
 */
export async function ensureIndexes(models: readonly AnyModel[]): Promise<void> {
  await Promise.all(
    models.map(async (model) => {
      await model.createCollection();
      await model.createIndexes();
    }),
  );
}

export async function createCollection(name: string): Promise<void> {
  try {
    await mongoose.connection.createCollection(name);
  } catch (error) {
    // 48: it is there already.
    if ((error as { code?: number }).code !== 48) throw error;
  }
}

export async function disconnect(): Promise<void> {
  await mongoose.disconnect();
}

/** `admin` in a URI names where the account lives, as many hosting services write it; no data may be kept there. */
function databaseOf(uri: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name && name !== 'admin' ? decodeURIComponent(name) : DEFAULT_DATABASE;
}
