import mongoose from 'mongoose';
import { OtpModel, SignInCodeModel } from '../../access/auth/otp/otp-model.ts';
import { UsedChallengeModel } from '../../access/auth/passkeys/used-challenges.ts';
import { BACKUPS_COLLECTION } from '../../platform/db/last-backup.ts';
import { LEASES_COLLECTION } from '../../platform/db/lease.ts';
import { RATE_LIMIT_COLLECTION } from '../../platform/http/limits/rate-limits.ts';
import { COLLECTIONS } from '../../resources.ts';

/** Prefix of the collections that a restore builds before it renames them. */
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

export async function listDataCollections(): Promise<string[]> {
  return (await names()).filter(isData);
}

/** Neither backed up nor replaced by a restore: both are written while a restore is running. */
const NOT_BACKED_UP = new Set([LEASES_COLLECTION, RATE_LIMIT_COLLECTION, BACKUPS_COLLECTION]);
const isData = (name: string) => !name.startsWith(STAGING_PREFIX) && !NOT_BACKED_UP.has(name);

/** Not backed up, and empty after a restore: these records would expire during it, and nobody misses them for long. */
const TRANSIENT = new Set(
  [OtpModel, SignInCodeModel, UsedChallengeModel].map(({ collection }) => collection.collectionName),
);

/** What this version backs up; a backup of an older version may contain more, which is ignored. */
export const isBackedUpCollection = (name: string) => isData(name) && !TRANSIENT.has(name);

export const backedUpCollections = async (): Promise<string[]> =>
  (await names()).filter(isBackedUpCollection);

const staging = async () => (await names()).filter((name) => name.startsWith(STAGING_PREFIX));
export const hasStagingCollections = async () => (await staging()).length > 0;

/** Left over from a restore that was killed. */
export async function dropStaging(): Promise<void> {
  for (const name of await staging()) await mongoose.connection.collection(name).drop();
}

/** What every start of the service creates by itself, and counters: nobody's work is lost with it. */
const SYSTEM = new Set([
  'locks',
  'migrations',
  ...COLLECTIONS.filter(({ isCreatedByService }) => isCreatedByService).map(
    ({ model }) => model.collection.collectionName,
  ),
]);

/**
 * Collections that contain someone's work. Every change to the study or questionnaires leaves an audit event, so their
 * own collections needn't be checked.
 */
export async function occupiedCollections(): Promise<string[]> {
  const missingNames: string[] = [];
  for (const name of await listDataCollections()) {
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

/** The records that a restore would replace. */
export async function countByCollection(): Promise<CollectionCount[]> {
  const counts: CollectionCount[] = [];
  for (const name of await occupiedCollections()) {
    counts.push({ name, count: await mongoose.connection.collection(name).countDocuments() });
  }
  return counts;
}
