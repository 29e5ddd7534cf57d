/**
 * Migrations: changes to stored data that an older version wrote. Each runs once, before the service listens and before
 * a command starts, and is then recorded in `migrations`.
 *
 * Several processes may start at once, and any of them may be killed, so migrations run under a lease (lease.ts). A
 * waiting process takes over from a holder that died. A holder that was only suspended may then still be running for a
 * moment: see `Migration.run`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Log } from '../log.ts';
import { LEASE_MS, takeLease, withLease } from './lease.ts';
import { suspendDbValidators } from './validators.ts';

type Db = mongoose.mongo.Db;

export interface Migration {
  /** Begins with the date, so that names sort in the order in which migrations run: `2027-03-01-what-it-does`. */
  name: string;
  /**
   * May run again after a crash, and briefly in two processes at once. So it must change each record with one
   * conditional write or in one transaction, and leave records alone that are already changed. It must use collections,
   * not models, because models keep changing, and create the collections that it needs.
   */
  run(step: MigrationContext): Promise<void>;
}

export interface MigrationContext {
  db: Db;
  /** Logs progress every few seconds. Throws if another process has taken over. */
  progress(processedCount: number, total: number): void;
}

interface Options {
  log?: Log;
  leaseMs?: number;
}

const LOG_INTERVAL_MS = 5_000;
const SILENT: Log = { info: () => {}, warn: () => {} };

export class NewerDatabaseError extends Error {
  constructor(unknown: string[]) {
    super(
      `The database was used by a newer version of the service (${unknown.join(', ')}). ` +
        'Start that version or a newer one, or restore a backup from before it. Nothing was changed.',
    );
  }
}

class LeaseLost extends Error {}

/** Runs pending migrations, or waits while another process does. Refuses a database that a newer version has used. */
export async function migrate(
  migrations: readonly Migration[],
  { log = SILENT, leaseMs = LEASE_MS }: Options = {},
): Promise<void> {
  for (let waits = 0; (await pendingMigrations(migrations)).length > 0; waits++) {
    const lease = await takeLease('migrations', leaseMs);
    if (!lease) {
      if (waits % 40 === 0) log.info('another process is migrating the data; waiting for it');
      await sleep(250);
      continue;
    }
    try {
      await withLease(lease, (isLost) => runAll(migrations, log, isLost), leaseMs);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }
}

/**
 * Throws if a migration is recorded that this version doesn't know, because then a newer version has changed the data.
 */
export function requireKnownMigrations(migrations: readonly Migration[], recorded: readonly string[]): void {
  const knownNames = new Set(migrations.map((one) => one.name));
  const unknown = recorded.filter((name) => !knownNames.has(name)).sort();
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
}

/** Whether the database fits this version: no migration is missing, and no newer version has changed it. */
export async function isMigrated(migrations: readonly Migration[]): Promise<boolean> {
  const recorded = new Set(await migrationRecords().distinct('_id', {}, { maxTimeMS: 2_000 }));
  return recorded.size === migrations.length && migrations.every(({ name }) => recorded.has(name));
}

/** When this migration was recorded; null if it never ran. */
export const migrationRanAt = async (name: string): Promise<Date | null> =>
  (await migrationRecords().findOne({ _id: name }))?.createdAt ?? null;

/** Migrations that haven't run yet. Throws NewerDatabaseError. */
export async function pendingMigrations(migrations: readonly Migration[]): Promise<Migration[]> {
  const recorded = await migrationRecords().distinct('_id');
  requireKnownMigrations(migrations, recorded);
  return migrations.filter((one) => !recorded.includes(one.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function runAll(migrations: readonly Migration[], log: Log, isLost: () => boolean): Promise<void> {
  const mine = () => {
    if (isLost()) throw new LeaseLost();
  };
  const pending = await pendingMigrations(migrations);
  if (pending.length > 0) await suspendDbValidators();
  for (const one of pending) {
    const begin = Date.now();
    let saidAt = begin;
    const progress = (count: number, total: number) => {
      mine();
      if (Date.now() - saidAt < LOG_INTERVAL_MS) return;
      saidAt = Date.now();
      log.info(`migrating the data: ${one.name}, ${count} of ${total} records`);
    };
    await one.run({ db: database(), progress });
    mine();
    const record = { createdAt: new Date(), tookMs: Date.now() - begin };
    await migrationRecords().updateOne({ _id: one.name }, { $setOnInsert: record }, { upsert: true });
    if (record.tookMs > 1_000) log.info(`migrated the data: ${one.name}, ${record.tookMs} ms`);
  }
}

function database(): Db {
  const { db } = mongoose.connection;
  if (!db) throw new Error('the connection to the database does not stand');
  return db;
}

const migrationRecords = () =>
  database().collection<{ _id: string; createdAt: Date; tookMs: number }>('migrations');
