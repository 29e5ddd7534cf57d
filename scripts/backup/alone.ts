/** Makes sure that a restore has the database to itself: no other restore, command or process of the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { finishFirstSwapHalf, finishRestoreSwap } from '../../src/operations/backup/swap.ts';
import { liveLeases, renewalIntervalOf, takeLease, withLease } from '../../src/platform/db/lease.ts';
import { problem } from '../../src/platform/http/problems/problem.ts';

export interface ExclusiveRunOptions {
  now: Date;
  /** Takes away what is there. */
  force: boolean;
}

/** `stillAlone` throws where that is no longer sure. */
export async function runExclusively<T>(
  { now, force }: ExclusiveRunOptions,
  work: (stillAlone: () => Promise<void>) => Promise<T>,
): Promise<T> {
  // Looked at first, so that a restore that is refused keeps nobody waiting.
  await requireNobody();
  const lease = await takeLease('restore');
  if (!lease)
    throw inUseProblem(
      (await describeRunningServices('restore')) ?? 'Another restore is in progress.',
      UNCHANGED_NOTE,
    );
  return await withLease(lease, async () => {
    await requireNobody();
    const startedAt = performance.now();
    // What an earlier restore has left: a backup that could not be brought up to date must not stand in the way for ever.
    if (force) await finishFirstSwapHalf();
    else await finishRestoreSwap(now);
    return await work(async () => {
      if (!(await lease.renew())) throw inUseProblem('Another process has taken over.', UNCHANGED_NOTE);
      // Who had lost its lease in an outage of the database has it back by now.
      if (force) await sleep(Math.max(0, 1.2 * renewalIntervalOf() - (performance.now() - startedAt)));
      await requireNobody();
    });
  });
}

const UNCHANGED_NOTE = "Nothing was changed. Try again when it's finished.";

async function requireNobody(): Promise<void> {
  const command = await describeRunningServices('command');
  if (command)
    throw inUseProblem(command, `${UNCHANGED_NOTE} (A killed process counts for another 20 seconds.)`);
  const service = await describeRunningServices('service');
  if (!service) return;
  const cure =
    'Nothing was changed. Stop all its processes and try again, because anything people do in the meantime would be lost. ' +
    '(A killed process counts for another 20 seconds.)';
  throw inUseProblem(service, cure);
}

const WORDS = {
  service: ['process of the service is', 'processes of the service are'],
  command: ['command is', 'commands are'],
  restore: ['other restore is', 'other restores are'],
} as const;

/** How many of a kind there are, and since when, in one sentence; null where there is none. */
export async function describeRunningServices(kind: keyof typeof WORDS): Promise<string | null> {
  const leases = await liveLeases(kind);
  if (leases.length === 0) return null;
  const first = Math.min(...leases.map((one) => one.since.getTime()));
  const words = WORDS[kind][leases.length === 1 ? 0 : 1];
  return `${leases.length} ${words} at work on this database, since ${new Date(first).toISOString()}.`;
}

const inUseProblem = (what: string, cure: string) => problem('UNAVAILABLE', { message: `${what} ${cure}` });
