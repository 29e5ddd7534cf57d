/**
 * When the last backup succeeded, whichever process made it. Backups don't include this, and a restore doesn't replace
 * it.
 */
import mongoose from 'mongoose';

export const BACKUPS_COLLECTION = 'backups';
const LAST_BACKUP_ID = 'last';

export interface BackupRecord {
  /** The moment of the data in the backup. */
  at: Date;
  /** Absent in records of older versions. */
  bytes?: number;
}

const backups = () => mongoose.connection.collection<BackupRecord & { _id: string }>(BACKUPS_COLLECTION);

export async function recordBackup(at: Date, bytes: number): Promise<void> {
  await backups().updateOne({ _id: LAST_BACKUP_ID }, { $set: { at, bytes } }, { upsert: true });
}

export const lastBackupTime = async (): Promise<Date | null> => (await lastBackupRecord())?.at ?? null;

export async function lastBackupRecord(): Promise<BackupRecord | null> {
  return await backups().findOne({ _id: LAST_BACKUP_ID }, { maxTimeMS: 2_000 });
}
