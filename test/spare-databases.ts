/**
 * Databases that tests of this worker no longer use. Creating all collections and indexes takes most of a second,
 * emptying them very little, so they are emptied and reused. One whose structure has changed is dropped.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { connect, disconnect } from '../src/platform/db/connect.ts';

declare global {
  /** By the URI of their mongod. Survives a test file, as its worker does. */
  var spareDatabases: Record<string, string[]> | undefined;
}

/** Deleting more records than this takes longer than creating a new database. */
const MOST_RECORDS = 3_000;
/** The collection that is not emptied, because its records are the same in every database. */
const STAYS = 'migrations';

function spares(): string[] {
  globalThis.spareDatabases ??= {};
  const uri = process.env.TEST_MONGO_URI ?? '';
  globalThis.spareDatabases[uri] ??= [];
  return globalThis.spareDatabases[uri];
}

/** Connects to an empty database; to a new one if it must be `fresh`. */
export async function connectToEmpty({ fresh = false } = {}): Promise<void> {
  const uri = process.env.TEST_MONGO_URI;
  if (!uri)
    throw new Error(
      'TEST_MONGO_URI is not set: run the tests through Jest, whose globalSetup starts a mongod',
    );
  const spare = fresh ? undefined : spares().pop();
  await connect(uri, spare ?? `t_${randomUUID().slice(0, 8)}`);
}

/** Collections, indexes and migrations as a string. */
export async function shapeOf(): Promise<string> {
  const { db } = mongoose.connection;
  const names = (await db?.listCollections({}, { nameOnly: true }).toArray())?.map(({ name }) => name) ?? [];
  const indexes = await Promise.all(names.sort().map(async (name) => await db?.collection(name).indexes()));
  return JSON.stringify([names, indexes, await db?.collection(STAYS).distinct('_id')]);
}

/** Closes the connection. `shape` is from before the test. Drops the database unless something locks it this long. */
export async function leave(shape: string, maxTimeMS: number): Promise<void> {
  const { db, name } = mongoose.connection;
  // A mongod that keeps running after the tests must not keep their databases.
  const maySpare = process.env.TEST_MONGO_ENDS === '1';
  try {
    if (maySpare && (await emptied(shape, maxTimeMS).catch(() => false))) spares().push(name);
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
  if (counts.reduce((sum, count) => sum + count, 0) > MOST_RECORDS) return false;
  const filled = names.filter((name, at) => name !== STAYS && counts[at] !== 0);
  await Promise.all(filled.map((name) => db.collection(name).deleteMany({}, { maxTimeMS })));
  return true;
}
