/** Making a backup: every collection as it was at one and the same instant, streamed into a file. */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import mongoose, { type ClientSession } from 'mongoose';
import { ArchiveWriter, type Counted, type Summed } from './archive.ts';
import { dataCollections } from './collections.ts';

const { MongoServerError } = mongoose.mongo;
/** Fast rather than small: the instant that is read can't be kept for ever. */
const LEVEL = 3;
const SNAPSHOT_TOO_OLD = 239;
const SNAPSHOT_UNAVAILABLE = 246;

export interface Made {
  madeAt: Date;
  collections: Summed[];
  bytes: number;
}

/** Written aside and named at the end, so that a file by that name is a whole backup. */
export async function makeBackup(
  path: string,
  now: Date,
  onProgress: (done: number, total: number) => void,
): Promise<Made> {
  const aside = `${path}.part`;
  try {
    const sums = await writeArchive(aside, now, onProgress);
    const file = await open(aside, 'r+');
    await file.sync();
    const { size } = await file.stat();
    await file.close();
    await rename(aside, path);
    return { madeAt: now, collections: sums, bytes: size };
  } catch (error) {
    if (error instanceof MongoServerError && error.code === SNAPSHOT_TOO_OLD) {
      throw new Error(
        'The backup took longer than the database keeps an instant of the past; raise its parameter minSnapshotHistoryWindowInSeconds (300 by default).',
      );
    }
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function writeArchive(
  path: string,
  madeAt: Date,
  onProgress: (done: number, total: number) => void,
): Promise<Summed[]> {
  const out = createWriteStream(path, { mode: 0o600 });
  const gzip = createGzip({ level: LEVEL });
  const written = pipeline(gzip, out);
  const session = mongoose.connection.getClient().startSession({ snapshot: true });
  try {
    const collections = await countAll(session);
    const total = collections.reduce((sum, one) => sum + one.count, 0);
    const writer = new ArchiveWriter();
    let done = 0;
    await put(gzip, out, writer.header({ madeAt, collections }));
    for (const { name } of collections) {
      // `raw`: the very bytes that the database holds.
      const found = mongoose.connection
        .collection(name)
        .find({}, { session, raw: true, batchSize: 500 })
        .sort({ _id: 1 })
        .allowDiskUse();
      for await (const bytes of found) {
        await put(gzip, out, writer.record(bytes as unknown as Buffer));
        done += 1;
        if (done % 500 === 0) onProgress(done, total);
      }
      writer.endOf(name);
    }
    await put(gzip, out, writer.trailer());
    gzip.end();
    await written;
    onProgress(total, total);
    return writer.sums;
  } catch (error) {
    gzip.destroy();
    await written.catch(() => {});
    throw error;
  } finally {
    await session.endSession();
  }
}

/** Waits while the disk is behind: no more than a buffer is in memory. */
async function put(gzip: Gzip, out: WriteStream, bytes: Uint8Array): Promise<void> {
  if (gzip.write(bytes) || out.destroyed) return;
  await once(gzip, 'drain');
}

/** The first of these reads fixes the instant. It can't be one at which a collection is just being made. */
async function countAll(session: ClientSession): Promise<Counted[]> {
  const names = await dataCollections();
  for (let triesLeft = 10; ; triesLeft--) {
    try {
      const counts: Counted[] = [];
      for (const name of names) {
        counts.push({
          name,
          count: await mongoose.connection.collection(name).countDocuments({}, { session }),
        });
      }
      return counts;
    } catch (error) {
      const pending = error instanceof MongoServerError && error.code === SNAPSHOT_UNAVAILABLE;
      if (!pending || triesLeft === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
