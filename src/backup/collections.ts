import mongoose from 'mongoose';
import { LEASES } from '../db/lease.ts';
import { LastAnswers } from '../recruitment/last-answers.ts';
import { COLLECTIONS } from '../subjects.ts';

/** Where a restore builds the collections up before it gives them their names. */
export const STAGING = 'restoring.';

async function names(): Promise<string[]> {
  const db = mongoose.connection.db;
  if (!db) throw new Error('the connection to the database does not stand');
  const found = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return found
    .map((one) => one.name)
    .filter((name) => !name.startsWith('system.'))
    .sort();
}

export async function dataCollections(): Promise<string[]> {
  return (await names()).filter(isData);
}

/** Not in a backup: whoever looks next counts it anew, and it would expire while it is put back. */
export async function backedUp(): Promise<string[]> {
  return (await dataCollections()).filter((name) => name !== LastAnswers.collection.collectionName);
}

export const isData = (name: string) => !name.startsWith(STAGING) && name !== LEASES;

/** Left behind by a restore that was killed. */
export async function dropStaging(): Promise<void> {
  const left = (await names()).filter((name) => name.startsWith(STAGING));
  for (const name of left) await mongoose.connection.collection(name).drop();
}

/** What each start of the service makes by itself, and counters: none of it is anybody's work. */
const OF_NO_ONE = new Set([
  'locks',
  'ratelimits',
  'migrations',
  ...COLLECTIONS.filter(({ ofItself }) => ofItself).map(({ model }) => model.collection.collectionName),
]);

/**
 * The collections that hold someone's work. Each change of study or questionnaires leaves an event behind, so that
 * their own collections need not be looked at.
 */
export async function occupied(): Promise<string[]> {
  const found: string[] = [];
  for (const name of await dataCollections()) {
    if (OF_NO_ONE.has(name)) continue;
    if (await mongoose.connection.collection(name).findOne({}, { projection: { _id: 1 } })) found.push(name);
  }
  return found;
}

export interface CollectionCount {
  name: string;
  count: number;
}

/** What a restore would replace. */
export async function countWork(): Promise<CollectionCount[]> {
  const counted: CollectionCount[] = [];
  for (const name of await occupied()) {
    counted.push({ name, count: await mongoose.connection.collection(name).countDocuments() });
  }
  return counted;
}
