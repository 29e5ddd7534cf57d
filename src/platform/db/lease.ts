/**
 * Which processes use the database, on any machine: those of the service, commands, and at most one each that restores
 * a backup, runs migrations, does the nightly work or sends texts. Each is a record in `leases` that its holder keeps
 * renewing, by the database's clock; the lease of a dead process expires.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';

export type LeaseKind = 'service' | 'command' | 'restore' | 'migrations' | 'night' | 'texts';

/** Long enough for a process that is slow for a while; short enough to wait for if its holder was killed. */
export const LEASE_MS = 20_000;
/** Not part of the data: neither backed up nor replaced by a restore. */
export const LEASES_COLLECTION = 'leases';

/** At most one process at a time can hold one of these. */
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
  /** False if another process has it now. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Null if another process holds it. The caller must renew it, for example with `withLease`. */
export async function takeLease(kind: LeaseKind, leaseMs = LEASE_MS): Promise<HeldLease | null> {
  const holder = randomUUID();
  const _id = EXCLUSIVE_KINDS.has(kind) ? kind : holder;
  const renew = () => write({ _id, kind, holder }, leaseMs);
  const release = async () => {
    await leases().deleteOne({ _id, holder });
  };
  // Killed processes of these kinds leave one record each.
  await leases().deleteMany({
    kind: { $in: ['service', 'command'] },
    $expr: { $lte: ['$until', '$$NOW'] },
  });
  return (await renew()) ? { holder, renew, release } : null;
}

/** Four times per lease, so that a process that was briefly cut off from the database still renews in time. */
export const renewalIntervalOf = (leaseMs = LEASE_MS): number => leaseMs / 4;

/** Renews the lease until the returned function is called. */
export function keepRenewingLease(lease: HeldLease, leaseMs = LEASE_MS, onLost = () => {}): () => void {
  const renewal = setInterval(() => {
    lease.renew().then(
      (mine) => {
        if (!mine) onLost();
      },
      () => {}, // An unreachable database ends the work anyway.
    );
  }, renewalIntervalOf(leaseMs)).unref();
  return () => clearInterval(renewal);
}

/** Renews the lease until `work` ends, then releases it. `isLost` returns true once another process has it. */
export async function withLease<T>(
  lease: HeldLease,
  work: (isLost: () => boolean) => Promise<T>,
  leaseMs = LEASE_MS,
): Promise<T> {
  let isLost = false;
  const stop = keepRenewingLease(lease, leaseMs, () => {
    isLost = true;
  });
  try {
    return await work(() => isLost);
  } finally {
    stop();
    await lease.release();
  }
}

/** Leases that haven't expired. */
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
    if ((error as { code?: number }).code === 11_000) return false; // Another process holds it.
    throw error;
  }
}

const leases = () => mongoose.connection.collection<Lease>(LEASES_COLLECTION);
