/**
 * The database connection (mongoose's default one). The timeouts are short, so that during an outage requests are answered
 * with 503 within seconds.
 */
import mongoose, { type ConnectOptions, type Schema } from 'mongoose';
import type { AnyModel } from './schema-options.ts';

const DEFAULT_DATABASE = 'field_survey';

const OPTIONS: ConnectOptions = {
  autoIndex: false,
  autoCreate: false,
  bufferCommands: false,
  // A silent database is noticed after connectTimeoutMS + heartbeatFrequencyMS, and another one is looked for during
  // serverSelectionTimeoutMS. In total this stays below ten seconds.
  serverSelectionTimeoutMS: 4_000,
  connectTimeoutMS: 3_000,
  waitQueueTimeoutMS: 4_000,
  heartbeatFrequencyMS: 2_000,
  // Long enough to build an index over a million records.
  socketTimeoutMS: 60_000,
  retryWrites: true,
  writeConcern: { w: 'majority' },
};

/** Uses the database `dbName`, or else the one in the URI, or else `field_survey`. */
export async function connect(uri: string, dbName = databaseOf(uri)): Promise<void> {
  await mongoose.connect(uri, { ...OPTIONS, dbName });
}

/** Each uses a connection; on a slow machine, more of them would time out waiting for one. */
const MODELS_AT_ONCE = 5;

/**
 * Creates collections before indexes, because a transaction can't create a collection during an index build. Safe to
 * repeat, and in several processes at once.
 */
export async function ensureIndexes(models: readonly AnyModel[]): Promise<void> {
  const waiting = models.values();
  const takeTurns = async () => {
    for (const model of waiting) {
      await model.createCollection();
      await createIndexes(model);
    }
  };
  await Promise.all(Array.from({ length: MODELS_AT_ONCE }, takeTurns));
}

export interface MissingIndex {
  collection: string;
  index: string;
  unique: boolean;
}

/** The declared indexes that are missing or differ: not unique, or with another partial filter. */
export async function findMissingIndexes(models: readonly AnyModel[]): Promise<MissingIndex[]> {
  const missing = await Promise.all(
    models.map(async (model) => {
      const storedPrints = new Set((await storedIndexes(model)).map(fingerprint));
      return declaredIndexes(model)
        .filter((index) => !storedPrints.has(fingerprint(index)))
        .map(({ key, name = Object.entries(key).flat().join('_'), unique = false }) => ({
          collection: model.collection.collectionName,
          index: name,
          unique,
        }));
    }),
  );
  return missing.flat();
}

interface Index {
  key: Record<string, unknown>;
  name?: string;
  unique?: boolean;
  partialFilterExpression?: unknown;
}

const fingerprint = ({ key, unique = false, partialFilterExpression = null }: Index): string =>
  JSON.stringify([Object.entries(key), unique, partialFilterExpression]);

async function storedIndexes(model: AnyModel): Promise<Index[]> {
  try {
    return (await model.collection.listIndexes({ maxTimeMS: 2_000 }).toArray()) as Index[];
  } catch (error) {
    // 26: the collection doesn't exist.
    if ((error as { code?: number }).code === 26) return [];
    throw error;
  }
}

const declaredIndexes = (model: AnyModel) =>
  (model.schema as Schema).indexes().map(([key, options]) => {
    const { background: _, ...rest } = options as Record<string, unknown>;
    return { ...rest, key: key as Record<string, 1 | -1> } as Index & { key: Record<string, 1 | -1> };
  });

/**
 * A majority is enough: by default MongoDB waits for every member of the replica set, so it would hang while one is
 * down.
 */
export async function createIndexes(model: AnyModel, collection = model.collection): Promise<void> {
  const indexes = declaredIndexes(model);
  if (indexes.length > 0)
    await collection.createIndexes(indexes as mongoose.mongo.IndexDescription[], {
      commitQuorum: 'majority',
    });
}

export async function createCollection(name: string): Promise<void> {
  try {
    await mongoose.connection.createCollection(name);
  } catch (error) {
    // 48: it exists already.
    if ((error as { code?: number }).code !== 48) throw error;
  }
}

export async function disconnect(): Promise<void> {
  await mongoose.disconnect();
}

/** Ignores `admin`: in the URIs of many hosting services it is the account's database, not the place for data. */
function databaseOf(uri: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name && name !== 'admin' ? decodeURIComponent(name) : DEFAULT_DATABASE;
}
