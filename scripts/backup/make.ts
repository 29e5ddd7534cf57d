/** Makes a backup: streams every collection, as of the same instant, into a file. */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import type { Encrypter } from 'age-encryption';
import mongoose, { type ClientSession } from 'mongoose';
import { backedUpCollections } from '../../src/operations/backup/collections.ts';
import { inSnapshot } from '../../src/platform/db/snapshot.ts';
import { writeAtomically } from '../../src/platform/lib/atomic-files.ts';
import { ArchiveWriter, type CollectionChecksum, type CollectionCount } from './archive.ts';
import { ChecksumWriter } from './checksum.ts';
import { encrypterFor, encryptWith } from './encryption.ts';

/** Fast rather than small: the instant that is read can't be kept for ever. */
const GZIP_LEVEL = 3;

export interface WrittenBackup {
  madeAt: Date;
  collections: CollectionChecksum[];
  bytes: number;
}

export async function makeBackup(
  path: string,
  now: Date,
  onProgress: (count: number, total: number) => void,
  /** An age public key; without one the backup is not encrypted. */
  recipient?: string,
): Promise<WrittenBackup> {
  const encrypter = recipient === undefined ? null : encrypterFor(recipient);
  const sums = await writeAtomically([path], async ([tempPath = path]) =>
    inSnapshot((session) => writeArchive(tempPath, { session, madeAt: now, encrypter }, onProgress)),
  );
  const { size } = await stat(path);
  return { madeAt: now, collections: sums, bytes: size };
}

async function writeArchive(
  path: string,
  { session, madeAt, encrypter }: { session: ClientSession; madeAt: Date; encrypter: Encrypter | null },
  onProgress: (count: number, total: number) => void,
): Promise<CollectionChecksum[]> {
  const out = createWriteStream(path, { mode: 0o600 });
  const gzip = createGzip({ level: GZIP_LEVEL });
  const seal = new ChecksumWriter();
  const writing = encrypter ? pipeline(gzip, seal, encryptWith(encrypter), out) : pipeline(gzip, seal, out);
  // `put` tells of a disk that fails, or the last line does.
  writing.catch(() => {});
  try {
    const collections = await countAll(session);
    const total = collections.reduce((sum, one) => sum + one.count, 0);
    const writer = new ArchiveWriter();
    let recordCount = 0;
    await put(gzip, out, writer.header({ madeAt, collections }));
    for (const { name } of collections) {
      // `raw`: the very bytes that the database holds.
      const cursor = mongoose.connection
        .collection(name)
        .find({}, { session, raw: true, batchSize: 500 })
        .sort({ _id: 1 })
        .allowDiskUse();
      for await (const bytes of cursor) {
        await put(gzip, out, writer.record(bytes as unknown as Buffer));
        recordCount += 1;
        if (recordCount % 500 === 0) onProgress(recordCount, total);
      }
      writer.endOf(name);
    }
    await put(gzip, out, writer.trailer());
    gzip.end();
    await writing;
    onProgress(total, total);
    return writer.sums;
  } catch (error) {
    gzip.destroy();
    await writing.catch(() => {});
    throw error;
  }
}

/** Waits while the disk is behind: no more than a buffer is in memory. */
async function put(gzip: Gzip, out: WriteStream, bytes: Uint8Array): Promise<void> {
  if (out.errored) throw out.errored;
  if (gzip.write(bytes) || out.destroyed) return;
  await once(gzip, 'drain');
}

async function countAll(session: ClientSession): Promise<CollectionCount[]> {
  const counts: CollectionCount[] = [];
  for (const name of await backedUpCollections()) {
    const count = await mongoose.connection.collection(name).countDocuments({}, { session });
    counts.push({ name, count });
  }
  return counts;
}
