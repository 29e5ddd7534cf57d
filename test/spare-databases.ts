/**
 * Databases that tests of this worker no longer use. Creating all collections and indexes takes most of a second,
 * emptying them very little, so they are emptied and reused. One whose structure has changed is dropped.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { connect, disconnect } from '../src/platform/db/connect.ts';

/** Has all collections of the service, or those of the models that a test imports. */
export type Kind = 'service' | 'models';

/** `shape`: see shapeOf. */
interface Spare {
  name: string;
  shape: string;
}

declare global {
  /** By their kind and the URI of their mongod. Survives a test file, as its worker does. */
  var spareDatabases: Record<string, Spare[]> | undefined;
}

/** Deleting more records than this takes longer than creating a new database. */
const MAX_RECORDS = 3_000;
/** The collection that is not emptied, because its records are the same in every database. */
const STAYS = 'migrations';

function spares(kind: Kind): Spare[] {
  globalThis.spareDatabases ??= {};
  const key = `${kind} ${process.env.TEST_MONGO_URI ?? ''}`;
  globalThis.spareDatabases[key] ??= [];
  return globalThis.spareDatabases[key];
}

/** Connects to an empty database; to a new one if it must be `fresh`. The shape of one that was used before. */
export async function connectToEmpty(kind: Kind, { fresh = false } = {}): Promise<string | undefined> {
  const uri = process.env.TEST_MONGO_URI;
  if (!uri)
    throw new Error(
      'TEST_MONGO_URI is not set: run the tests through Vitest, which starts a mongod before (test/global-setup.ts)',
    );
  const spare = fresh ? undefined : spares(kind).pop();
  await connect(uri, spare?.name ?? `t_${randomUUID().slice(0, 8)}`);
  return spare?.shape;
}

/** Collections, validators, indexes and migrations as a string. */
export async function shapeOf(): Promise<string> {
  const { db } = mongoose.connection;
  const collections = ((await db?.listCollections().toArray()) ?? []) as mongoose.mongo.CollectionInfo[];
  const names = collections.map(({ name }) => name).sort();
  const options = Object.fromEntries(collections.map((one) => [one.name, one.options]));
  const indexes = await Promise.all(names.map(async (name) => await db?.collection(name).indexes()));
  return JSON.stringify([
    names,
    names.map((name) => options[name]),
    indexes,
    await db?.collection(STAYS).distinct('_id'),
  ]);
}

/** Closes the connection. `shape` is from before the test. Drops the database unless something locks it this long. */
export async function leave(kind: Kind, shape: string, maxTimeMS: number): Promise<void> {
  const { db, name } = mongoose.connection;
  // A mongod that keeps running after the tests must not keep their databases.
  const maySpare = process.env.TEST_MONGO_ENDS === '1';
  try {
    if (maySpare && (await emptied(shape, maxTimeMS).catch(() => false))) spares(kind).push({ name, shape });
    else await db?.command({ dropDatabase: 1, maxTimeMS });
  } finally {
    await disconnect();
  }
}

async function emptied(shape: string, maxTimeMS: number): Promise<boolean> {
  const { db } = mongoose.connection;
  if (!db || (await shapeOf()) !== shape) return false;
  const [names] = JSON.parse(shape) as [string[]];
  const counts = await Promise.all(names.map((name) => db.collection(name).estimatedDocumentCount()));
  if (counts.reduce((sum, count) => sum + count, 0) > MAX_RECORDS) return false;
  const filled = names.filter((name, at) => name !== STAYS && counts[at] !== 0);
  await Promise.all(filled.map((name) => db.collection(name).deleteMany({}, { maxTimeMS })));
  return true;
}
