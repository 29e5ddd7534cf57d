/**
 * Keeps the service and commands from using the database during a restore. A process first takes a lease and then
 * checks whether a restore is running; a restore first takes its lease and then checks for other processes. If both
 * start at once, at least one sees the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { problem } from '../http/problems/problem.ts';
import type { Log } from '../log.ts';
import { type HeldLease, keepRenewingLease, liveLeases, takeLease, withLease } from './lease.ts';

const LOOK_MS = 500;

/** Completes or undoes a restore that was killed. False while another process does so. */
export type SettleUnfinishedRestore = () => Promise<boolean>;

export interface RestoreBlock {
  leave(): Promise<void>;
}

/** For a service process: waits until no restore is running. None can begin until it leaves. */
export async function blockRestores(log: Log, settle: SettleUnfinishedRestore): Promise<RestoreBlock> {
  const lease = await enter(log, settle);
  const stop = keepRenewingLease(lease);
  return {
    async leave() {
      stop();
      await lease.release();
    },
  };
}

async function enter(log: Log, settle: SettleUnfinishedRestore): Promise<HeldLease> {
  for (let waits = 0; ; waits++) {
    const lease = (await isRestoring()) ? null : await takeLease('service');
    if (lease && !(await isRestoring()) && (await settle())) return lease;
    await lease?.release();
    if (waits % 20 === 0) log.info('A backup is being restored; waiting until it has finished');
    await sleep(LOOK_MS);
  }
}

/** For a command: refused during a restore; no restore can begin while the command works. */
export async function runUnlessRestoring<T>(
  settle: SettleUnfinishedRestore,
  work: () => Promise<T>,
): Promise<T> {
  const later = problem('UNAVAILABLE', {
    message: 'A backup is being restored. Try again when it has finished.',
  });
  const lease = (await isRestoring()) ? null : await takeLease('command');
  if (!lease) throw later;
  return await withLease(lease, async () => {
    if ((await isRestoring()) || !(await settle())) throw later;
    return await work();
  });
}

const isRestoring = async () => (await liveLeases('restore')).length > 0;
