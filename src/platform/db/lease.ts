/**
 * Which processes use the database, on any machine: those of the service, commands, and at most one each that restores
 * a backup, runs migrations, does what is due at night or sends texts. Each is a record in `leases` that its holder keeps renewing by the database's clock;
 * the lease of a dead process expires.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';

export type LeaseKind = 'service' | 'command' | 'restore' | 'migrations' | 'night' | 'texts';

/** Long enough for a process that was held up; short enough to wait for when one was killed. */
export const LEASE_MS = 20_000;
/** No part of the data: neither in a backup nor replaced by one. */
export const LEASES_COLLECTION = 'leases';

/** Of these there is one at a time. */
const EXCLUSIVE_KINDS = new Set<LeaseKind>(['restore', 'migrations', 'night', 'texts']);

interface Lease {
  _id: string;
  kind: LeaseKind;
  holder: string;
  since: Date;
  until: Date;
}

export interface HeldLease {
  holder: string;
  /** False where another one has it by now. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Null where it is another's. Its holder sees to it that it is renewed: `kept` does. */
export async function takeLease(kind: LeaseKind, leaseMs = LEASE_MS): Promise<HeldLease | null> {
  const holder = randomUUID();
  const _id = EXCLUSIVE_KINDS.has(kind) ? kind : holder;
  const renew = () => write({ _id, kind, holder }, leaseMs);
  const release = async () => {
    await leases().deleteOne({ _id, holder });
  };
  // Those who are many leave a record each when they are killed.
  await leases().deleteMany({
    kind: { $in: ['service', 'command'] },
    $expr: { $lte: ['$until', '$$NOW'] },
  });
  return (await renew()) ? { holder, renew, release } : null;
}

/** A lease that is kept is renewed so often: who was cut off from the database has it back by then. */
export const renewalIntervalOf = (leaseMs = LEASE_MS): number => leaseMs / 4;

/** Renews it until the function that it returns is called. */
export function keepRenewing(lease: HeldLease, leaseMs = LEASE_MS, onLost = () => {}): () => void {
  const renewal = setInterval(() => {
    lease.renew().then(
      (mine) => {
        if (!mine) onLost();
      },
      () => {}, // A database out of reach ends the work itself.
    );
  }, renewalIntervalOf(leaseMs)).unref();
  return () => clearInterval(renewal);
}

/** Renewed until `work` ends, and released then. `lost` is true once another one has it. */
export async function withLease<T>(
  lease: HeldLease,
  work: (isLost: () => boolean) => Promise<T>,
  leaseMs = LEASE_MS,
): Promise<T> {
  let isLost = false;
  const stop = keepRenewing(lease, leaseMs, () => {
    isLost = true;
  });
  try {
    return await work(() => isLost);
  } finally {
    stop();
    await lease.release();
  }
}

/** All whose lease has not run out. */
export async function liveLeases(...kinds: LeaseKind[]): Promise<Lease[]> {
  return await leases()
    .find({ kind: { $in: kinds }, $expr: { $gt: ['$until', '$$NOW'] } })
    .toArray();
}

type Claim = Pick<Lease, '_id' | 'kind' | 'holder'>;

async function write({ _id, kind, holder }: Claim, leaseMs: number): Promise<boolean> {
  const since = { $cond: [{ $eq: ['$holder', holder] }, { $ifNull: ['$since', '$$NOW'] }, '$$NOW'] };
  const until = { $add: ['$$NOW', leaseMs] };
  const claim = [{ $set: { kind, holder, since, until } }];
  const free = { _id, $or: [{ holder }, { $expr: { $lte: ['$until', '$$NOW'] } }] };
  if ((await leases().updateOne(free, claim)).matchedCount === 1) return true;
  try {
    const { matchedCount, upsertedCount } = await leases().updateOne({ _id, holder }, claim, {
      upsert: true,
    });
    return matchedCount + upsertedCount === 1;
  } catch (error) {
    if ((error as { code?: number }).code === 11_000) return false; // There is one, and it is another's.
    throw error;
  }
}

const leases = () => mongoose.connection.collection<Lease>(LEASES_COLLECTION);
