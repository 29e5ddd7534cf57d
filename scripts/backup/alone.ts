/** A restore has the database for itself: no other restore, no command, and no process of the service that writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { endSwap, place } from '../../src/backup/swap.ts';
import { atWork, kept, takeLease } from '../../src/db/lease.ts';
import { problem } from '../../src/http/problem.ts';

/** Longer than a request may take, and than the lease of a process that was killed. */
const PATIENCE_MS = 90_000;

type Lease = Awaited<ReturnType<typeof atWork>>[number];

export interface Alone {
  now: Date;
  /** Stops the writes of the service instead of refusing while it runs. */
  force: boolean;
  say(text: string): void;
}

/** `stillAlone` throws where that is no longer sure. */
export async function alone<T>(
  { now, force, say }: Alone,
  work: (stillAlone: () => Promise<void>) => Promise<T>,
): Promise<T> {
  // Looked at first, so that a restore that is refused stops nobody's writes.
  await requireNobody(force);
  const held = await takeLease('restore');
  if (!held) throw inTheWay((await describeAtWork('restore')) ?? 'Another restore is under way.', AGAIN);
  return await kept(held, async () => {
    await requireNobody(force);
    await untilQuiet(held.holder, say);
    // What an earlier restore has left: a backup that could not be brought up to date must not stand in the way for ever.
    if (force) await place();
    else await endSwap(now);
    return await work(async () => {
      if (!(await held.renew())) throw inTheWay('Another process has taken over.', AGAIN);
      // Whoever came meanwhile has seen the restore, and goes or is quiet.
      await untilQuiet(held.holder, say);
    });
  });
}

const AGAIN = 'Nothing was changed. Try again when it has ended.';

async function requireNobody(force: boolean): Promise<void> {
  const command = await describeAtWork('command');
  if (command) throw inTheWay(command, `${AGAIN} (One that was killed counts for 20 seconds.)`);
  const service = force ? null : await describeAtWork('service');
  if (!service) return;
  const cure =
    'Nothing was changed. Stop it, all its processes, and try again: what its people do meanwhile would be lost. ' +
    '(One that was killed counts for 20 seconds.) Or say --force: then it takes nothing until the restore is done.';
  throw inTheWay(service, cure);
}

const WORDS = {
  service: ['process of the service is', 'processes of the service are'],
  command: ['command is', 'commands are'],
  restore: ['other restore is', 'other restores are'],
} as const;

/** How many of a kind there are, and since when, in one sentence; null where there is none. */
export async function describeAtWork(kind: keyof typeof WORDS): Promise<string | null> {
  const found = await atWork(kind);
  if (found.length === 0) return null;
  const first = Math.min(...found.map((one) => one.since.getTime()));
  const words = WORDS[kind][found.length === 1 ? 0 : 1];
  return `${found.length} ${words} at work on this database, since ${new Date(first).toISOString()}.`;
}

/** Until each process of the service has said that it writes nothing, and no command is left; or their leases ran out. */
async function untilQuiet(holder: string, say: (text: string) => void): Promise<void> {
  const noisy = (one: Lease) => one.kind === 'command' || one.quietFor !== holder;
  for (const begun = Date.now(); ; await sleep(100)) {
    const left = (await atWork('service', 'command')).filter(noisy).length;
    if (left === 0) return;
    if (Date.now() - begun > PATIENCE_MS)
      throw inTheWay(`${left} other processes did not stop writing.`, 'Nothing was changed.');
    if (Date.now() - begun < 100) say('Waiting until nobody else writes any more...');
  }
}

const inTheWay = (what: string, cure: string) => problem('UNAVAILABLE', { message: `${what} ${cure}` });
