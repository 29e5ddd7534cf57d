/**
 * Replaces the data with the restored collections. A record next to the leases says that this has begun. If the process
 * is killed, the next process that finds the record continues, so that nobody ever works on half of the data.
 */
import mongoose from 'mongoose';
import { LEASES_COLLECTION, takeLease, withLease } from '../../platform/db/lease.ts';
import type { Log } from '../../platform/log.ts';
import { prepareDatabase } from '../../resources.ts';
import { dropStaging, hasStagingCollections, listDataCollections, STAGING_PREFIX } from './collections.ts';

interface Swap {
  _id: 'swap';
  names: string[];
  /** All collections are in place; from then on there may be collections that the backup doesn't have. */
  placed: boolean;
}

const swaps = () => mongoose.connection.collection<Swap>(LEASES_COLLECTION);

/** `names`: the restored collections, which are complete. */
export async function beginRestoreSwap(names: string[]): Promise<void> {
  await swaps().replaceOne({ _id: 'swap' }, { names, placed: false }, { upsert: true });
}

/** Does nothing if no swap has begun. Call only with the restore lease. */
export async function finishRestoreSwap(now: Date, log?: Log): Promise<void> {
  if (!(await finishFirstSwapHalf())) return;
  await prepareDatabase(now, log);
  await swaps().deleteOne({ _id: 'swap' });
}

/** Only puts the collections in place, for a caller that replaces all of them next; false if no swap has begun. */
export async function finishFirstSwapHalf(): Promise<boolean> {
  const swap = await swaps().findOne({ _id: 'swap' });
  if (!swap) return false;
  if (!swap.placed) {
    await takePlaces(swap.names);
    await swaps().updateOne({ _id: 'swap' }, { $set: { placed: true } });
  }
  await dropStaging();
  return true;
}

/**
 * Finishes a restore that was killed during its swap, and removes leftovers of one killed earlier. False while another
 * process finishes the swap.
 */
export async function finishInterruptedRestore(now: Date, log: Log): Promise<boolean> {
  const unfinishedSwap = await swaps().findOne({ _id: 'swap' });
  if (!unfinishedSwap && !(await hasStagingCollections())) return true;
  const lease = await takeLease('restore');
  // A restore that is running, or was killed less than 20 seconds ago, keeps what it has built.
  if (!lease) return !unfinishedSwap;
  if (unfinishedSwap) log.warn('A restore was interrupted; finishing it now');
  await withLease(lease, async () => {
    await finishRestoreSwap(now, log);
    await dropStaging();
  });
  return true;
}

/** Takes milliseconds. If repeated, it continues where it stopped. */
async function takePlaces(names: string[]): Promise<void> {
  const { connection } = mongoose;
  const db = connection.db;
  const stagedNames = new Set(
    (await db?.listCollections({}, { nameOnly: true }).toArray())?.map((one) => one.name) ?? [],
  );
  for (const name of names) {
    if (stagedNames.has(STAGING_PREFIX + name))
      await connection.collection(STAGING_PREFIX + name).rename(name, { dropTarget: true });
  }
  const others = (await listDataCollections()).filter((name) => !names.includes(name));
  for (const name of others) await connection.collection(name).drop();
}
