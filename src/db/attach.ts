/**
 * How the service and the commands share the database with a restore. Whoever comes leaves a lease and then looks
 * whether one restores; a restore takes its lease and then looks who is there: of two that come at once at least one
 * sees the other.
 *
 * A process of the service looks every second, so that no request pays for it. While another one restores it writes
 * nothing, and says so in its lease once the last write under way has ended. Where it could not look for long, it
 * writes nothing either, since its own lease may have run out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { problem } from '../http/problem.ts';
import type { Log } from '../log.ts';
import { atWork, type Held, kept, LEASE_MS, takeLease } from './lease.ts';

const LOOK_MS = 1_000;
const RENEW_MS = LEASE_MS / 4;
/** With RENEW_MS it stays well below the lease: who wrote later than that might be taken for dead. */
const BLIND_MS = LEASE_MS / 2;

/** Ends what a restore that was killed has begun. False while another one does. */
export type Settle = () => Promise<boolean>;

interface Watch {
  held: Held;
  renewedAt: number;
  seenAt: number;
  /** The restore for which writes are refused. */
  restore: string | null;
  /** It knows that the last write has ended. */
  isKnown: boolean;
}

let watch: Watch | null = null;
let writes = 0;
/** When writing went on after the last restore that was seen. */
let resumedAt = 0;

/** After an outage, until it is looked again: for a moment writes are refused although the database answers. */
export const isBlind = (): boolean => watch !== null && performance.now() - watch.seenAt > BLIND_MS;

/** To be called when a write begins, and what it returns when it has ended. Refuses while a backup is being restored. */
export function beginWrite(): () => void {
  if (watch) {
    if (watch.restore)
      throw problem('UNAVAILABLE', {
        message: 'A backup is being put into the database. Nothing is taken until that is done.',
      });
    if (isBlind()) throw problem('UNAVAILABLE');
  }
  writes += 1;
  return () => {
    writes -= 1;
  };
}

/** Whether what was read from then on may be of the data before a restore. */
export const mayBeOfBefore = (readFrom: Date): boolean =>
  watch?.restore != null || readFrom.getTime() <= resumedAt;

export interface Attached {
  leave(): Promise<void>;
}

/** For a process of the service: waits until nobody restores, and looks from then on. */
export async function attachService(log: Log, settle: Settle): Promise<Attached> {
  const { held, begun } = await enter(log, settle);
  const mine: Watch = { held, renewedAt: begun, seenAt: begun, restore: null, isKnown: true };
  watch = mine;
  let ended = false;
  let timer: NodeJS.Timeout;
  let busy = Promise.resolve();
  let failed = '';
  const next = () => {
    timer = setTimeout(() => {
      busy = look(mine, log, settle)
        .then(
          () => {
            failed = '';
          },
          // Its kind alone: the database's own words may hold what belongs in no log.
          ({ name }: Error) => {
            if (name !== failed) log.warn(`it cannot be told whether a backup is being restored: ${name}`);
            failed = name;
          },
        )
        .then(() => {
          if (!ended) next();
        });
    }, LOOK_MS).unref();
  };
  next();
  return {
    async leave() {
      ended = true;
      clearTimeout(timer);
      await busy;
      watch = null;
      await held.release();
    },
  };
}

async function enter(log: Log, settle: Settle): Promise<{ held: Held; begun: number }> {
  for (let waits = 0; ; waits++) {
    const begun = performance.now();
    const held = (await isRestoring()) ? null : await takeLease('service');
    if (held && !(await isRestoring()) && (await settle())) return { held, begun };
    await held?.release();
    if (waits % 20 === 0) log.info('A backup is being put into the database; waiting until that is done');
    await sleep(LOOK_MS / 2);
  }
}

async function look(mine: Watch, log: Log, settle: Settle): Promise<void> {
  const begun = performance.now();
  if (begun - mine.renewedAt > RENEW_MS) {
    await mine.held.renew(mine.isKnown ? mine.restore : null);
    mine.renewedAt = begun;
  }
  const [restore] = await atWork('restore');
  if (restore) {
    if (mine.restore !== restore.holder) {
      log.warn('A backup is being put into the database: nothing is written until that is done');
      mine.restore = restore.holder;
      mine.isKnown = false;
    }
    if (!mine.isKnown && writes === 0) {
      await mine.held.renew(mine.restore);
      mine.isKnown = true;
    }
  } else if (await settle()) {
    if (mine.restore) {
      resumedAt = Date.now();
      log.warn('The backup is no longer being put into the database: writing goes on');
    }
    mine.restore = null;
  }
  mine.seenAt = begun;
}

/** For a command: refused while a backup is being restored, which is refused while the command works. */
export async function whileAttached<T>(settle: Settle, work: () => Promise<T>): Promise<T> {
  const later = problem('UNAVAILABLE', {
    message: 'A backup is being put into the database. Try again when that is done.',
  });
  const held = (await isRestoring()) ? null : await takeLease('command');
  if (!held) throw later;
  return await kept(held, async () => {
    if ((await isRestoring()) || !(await settle())) throw later;
    return await work();
  });
}

const isRestoring = async () => (await atWork('restore')).length > 0;
