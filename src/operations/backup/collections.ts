import mongoose from 'mongoose';
import { Otps, SignInCodes } from '../../access/auth/otp/otp-model.ts';
import { UsedChallenges } from '../../access/auth/passkeys/used-challenges.ts';
import { BACKUPS_COLLECTION } from '../../platform/db/last-backup.ts';
import { LEASES_COLLECTION } from '../../platform/db/lease.ts';
import { RATE_LIMITS } from '../../platform/http/limits/rate-limits.ts';
import { COLLECTIONS } from '../../resources.ts';

/** Where a restore builds the collections up before it gives them their names. */
export const STAGING_PREFIX = 'restoring.';

async function names(): Promise<string[]> {
  const db = mongoose.connection.db;
  if (!db) throw new Error('the connection to the database does not stand');
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return collections
    .map((one) => one.name)
    .filter((name) => !name.startsWith('system.'))
    .sort();
}

export async function dataCollections(): Promise<string[]> {
  return (await names()).filter(isData);
}

/** Neither in a backup nor replaced by one: both are written while a backup is put back. */
const NOT_BACKED_UP = new Set([LEASES_COLLECTION, RATE_LIMITS, BACKUPS_COLLECTION]);
const isData = (name: string) => !name.startsWith(STAGING_PREFIX) && !NOT_BACKED_UP.has(name);

/** Not in a backup, and gone after a restore: they would expire while they are put back, and nobody misses them for long. */
const TRANSIENT = new Set(
  [Otps, SignInCodes, UsedChallenges].map(({ collection }) => collection.collectionName),
);

/** In a backup of this version; one of an earlier version may hold more, which is left aside. */
export const isBackedUp = (name: string) => isData(name) && !TRANSIENT.has(name);

export const backedUpCollections = async (): Promise<string[]> => (await names()).filter(isBackedUp);

const staging = async () => (await names()).filter((name) => name.startsWith(STAGING_PREFIX));
export const hasStaging = async () => (await staging()).length > 0;

/** Left behind by a restore that was killed. */
export async function dropStaging(): Promise<void> {
  for (const name of await staging()) await mongoose.connection.collection(name).drop();
}

/** What each start of the service makes by itself, and counters: none of it is anybody's work. */
const SYSTEM = new Set([
  'locks',
  'migrations',
  ...COLLECTIONS.filter(({ isCreatedByService }) => isCreatedByService).map(
    ({ model }) => model.collection.collectionName,
  ),
]);

/**
 * The collections that hold someone's work. Each change of study or questionnaires leaves an event behind, so that
 * their own collections need not be looked at.
 */
export async function occupiedCollections(): Promise<string[]> {
  const missingNames: string[] = [];
  for (const name of await dataCollections()) {
    if (SYSTEM.has(name)) continue;
    if (await mongoose.connection.collection(name).findOne({}, { projection: { _id: 1 } }))
      missingNames.push(name);
  }
  return missingNames;
}

export interface CollectionCount {
  name: string;
  count: number;
}

/** What a restore would replace. */
export async function countByCollection(): Promise<CollectionCount[]> {
  const counts: CollectionCount[] = [];
  for (const name of await occupiedCollections()) {
    counts.push({ name, count: await mongoose.connection.collection(name).countDocuments() });
  }
  return counts;
}
