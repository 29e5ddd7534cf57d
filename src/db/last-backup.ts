/**
 * When the last backup succeeded, made by any process. Backups do not contain this, and a restore does not replace it.
 */
import mongoose from 'mongoose';

export const BACKUPS = 'backups';
const LAST = 'last';

const backups = () => mongoose.connection.collection<{ _id: string; at: Date }>(BACKUPS);

/** `at`: the instant of the data. */
export async function recordBackup(at: Date): Promise<void> {
  await backups().updateOne({ _id: LAST }, { $set: { at } }, { upsert: true });
}

export async function lastBackup(): Promise<Date | null> {
  return (await backups().findOne({ _id: LAST }, { maxTimeMS: 2_000 }))?.at ?? null;
}
