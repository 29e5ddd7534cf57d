/**
 * Databases that tests of this worker have done with. To make all collections and indexes takes a processor most of a
 * second, to empty them a moment: so the next test gets one that is as it was made. One that is not is dropped.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { connect, disconnect } from '../src/db/connect.ts';

declare global {
  /** By the address of their mongod. Outlives a test file, as its worker does. */
  var spareDatabases: Record<string, string[]> | undefined;
}

/** To delete more records than these takes longer than to make a new database. */
const MOST_RECORDS = 3_000;
/** Without the records, for what each database is made ready with anyway. */
const STAYS = 'migrations';

function spares(): string[] {
  globalThis.spareDatabases ??= {};
  const uri = process.env.TEST_MONGO_URI ?? '';
  globalThis.spareDatabases[uri] ??= [];
  return globalThis.spareDatabases[uri];
}

/** Connects to an empty database; to one that nobody has used before if it is to be `fresh`. */
export async function connectToEmpty({ fresh = false } = {}): Promise<void> {
  const uri = process.env.TEST_MONGO_URI;
  if (!uri)
    throw new Error(
      'TEST_MONGO_URI is not set: run the tests through Jest, whose globalSetup starts a mongod',
    );
  const spare = fresh ? undefined : spares().pop();
  await connect(uri, spare ?? `t_${randomUUID().slice(0, 8)}`);
}

/** Collections, indexes and migrations, as a text. */
export async function shapeOf(): Promise<string> {
  const { db } = mongoose.connection;
  const names = (await db?.listCollections({}, { nameOnly: true }).toArray())?.map(({ name }) => name) ?? [];
  const indexes = await Promise.all(names.sort().map(async (name) => await db?.collection(name).indexes()));
  return JSON.stringify([names, indexes, await db?.collection(STAYS).distinct('_id')]);
}

/** Ends the connection. `shape`: of the database before the test. It is dropped unless something holds it for longer than this. */
export async function leave(shape: string, maxTimeMS: number): Promise<void> {
  const { db, name } = mongoose.connection;
  // A mongod that goes on after the tests must not keep their databases.
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
