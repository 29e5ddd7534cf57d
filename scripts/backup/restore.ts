/**
 * Restores a backup. The whole file is read and checked before anything is written. Then every collection is built
 * under another name, with its indexes, read back and compared; only then do all of them replace the data (swap.ts).
 * Until that moment the database is unchanged, so a restore that fails or is interrupted changes nothing.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Decrypter } from 'age-encryption';
import mongoose from 'mongoose';
import {
  dropStaging,
  isBackedUpCollection,
  occupiedCollections,
  STAGING_PREFIX,
} from '../../src/operations/backup/collections.ts';
import { beginRestoreSwap, finishRestoreSwap } from '../../src/operations/backup/swap.ts';
import { createIndexes } from '../../src/platform/db/connect.ts';
import { requireKnownMigrations } from '../../src/platform/db/migrate.ts';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { problem } from '../../src/platform/http/problems/problem.ts';
import { MODELS } from '../../src/resources.ts';
import { BadArchive, type CollectionChecksum, type Header, readArchive } from './archive.ts';

const { BSON } = mongoose.mongo;
const BATCH = 1000;

export interface Checked {
  madeAt: Date;
  collections: CollectionChecksum[];
}
type OnProgress = (count: number, total: number) => void;

/** Throws BadArchive unless the file is whole and its checksums fit, and NewerDatabaseError where a newer version made it. */
export async function checkBackup(
  path: string,
  onProgress: OnProgress,
  decrypter?: Decrypter,
): Promise<Checked> {
  const { size } = await stat(path);
  let header: Header | null = null;
  let sums: CollectionChecksum[] | null = null;
  const migrations: string[] = [];
  for await (const part of readArchive(path, decrypter)) {
    if (part.kind === 'header') header = part.header;
    else if (part.kind === 'trailer') sums = part.sums;
    else {
      onProgress(part.bytesRead, size);
      if (part.name !== 'migrations') continue;
      migrations.push(...part.records.map((bytes) => String(BSON.deserialize(bytes)._id)));
    }
  }
  if (!header || !sums) throw new BadArchive('The backup is damaged: its end is missing.');
  const faulty = sums.find(
    ({ name }) => name.startsWith('system.') || name.startsWith(STAGING_PREFIX) || name === '',
  );
  if (faulty) throw new BadArchive('This is not a backup of this service.');
  requireKnownMigrations(MIGRATIONS, migrations);
  return { madeAt: header.madeAt, collections: sums.filter(({ name }) => isBackedUpCollection(name)) };
}

/** `cure` says what to do about it. */
export async function requireEmpty(cure: string): Promise<void> {
  const occupiedNames = await occupiedCollections();
  if (occupiedNames.length > 0)
    throw problem('NAME_TAKEN', { message: `${notEmpty(occupiedNames)} ${cure}` });
}

export const notEmpty = (collections: string[]): string =>
  `The database is not empty (${collections.join(', ')}).`;

interface Restore {
  /** For an encrypted backup. */
  decrypter?: Decrypter | undefined;
  now: Date;
  onProgress: OnProgress;
  /** Asked once more at the very last moment; throws where the data may not be replaced. */
  mayReplace(): Promise<void>;
}

/** `checked` is what checkBackup said of this very file. For whoever holds the lease of a restore (alone.ts). */
export async function restoreBackup(
  path: string,
  checked: Checked,
  { now, onProgress, mayReplace, decrypter }: Restore,
): Promise<void> {
  await dropStaging();
  try {
    await load(path, checked, { onProgress, decrypter });
    for (const sum of checked.collections) {
      await buildIndexes(sum.name);
      await compare(sum, onProgress);
    }
    await mayReplace();
  } catch (error) {
    await dropStaging();
    throw error;
  }
  await beginRestoreSwap(checked.collections.map((one) => one.name));
  await finishRestoreSwap(now);
}

const stagedCollection = (name: string) => mongoose.connection.collection(STAGING_PREFIX + name);

async function load(
  path: string,
  { collections }: Checked,
  { onProgress, decrypter }: Pick<Restore, 'onProgress' | 'decrypter'>,
): Promise<void> {
  const total = collections.reduce((sum, one) => sum + one.count, 0);
  let recordCount = 0;
  for (const { name } of collections) await mongoose.connection.createCollection(STAGING_PREFIX + name);
  for await (const part of readArchive(path, decrypter)) {
    if (part.kind !== 'records' || !isBackedUpCollection(part.name)) continue;
    for (let start = 0; start < part.records.length; start += BATCH) {
      const records = part.records.slice(start, start + BATCH);
      // Nothing is promoted: a record must come out as the very bytes that it was.
      const documents = records.map((bytes) =>
        BSON.deserialize(bytes, {
          promoteValues: false,
          promoteLongs: false,
          promoteBuffers: false,
          bsonRegExp: true,
        }),
      );
      await stagedCollection(part.name).insertMany(documents, { ordered: false });
      recordCount += records.length;
      onProgress(recordCount, total);
    }
  }
}

/** The indexes of this version of the service, not those of the one that made the backup. */
async function buildIndexes(name: string): Promise<void> {
  const model = MODELS.find((one) => one.collection.collectionName === name);
  if (model) await createIndexes(model, stagedCollection(name));
}

/** Reads back what was written. */
async function compare({ name, count, sha256 }: CollectionChecksum, onProgress: OnProgress): Promise<void> {
  const hash = createHash('sha256');
  let read = 0;
  const cursor = stagedCollection(name)
    .find({}, { raw: true, batchSize: 500 })
    .sort({ _id: 1 })
    .allowDiskUse();
  for await (const bytes of cursor) {
    hash.update(bytes as unknown as Buffer);
    read += 1;
    if (read % BATCH === 0) onProgress(read, count);
  }
  if (read === count && hash.digest('hex') === sha256) return;
  throw new Error(`${name} did not come out of the database as it went in; nothing was changed.`);
}
