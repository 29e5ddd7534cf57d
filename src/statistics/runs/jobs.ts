/**
 * Works on runs, one at a time, and does the nightly jobs. Each process looks every two seconds for a run that nobody
 * holds; the run's own lease (run-lease.ts) decides which process works on it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { roundsPastRetention } from '../../interviews/retention/due.ts';
import { eraseOldContacts } from '../../interviews/retention/erase-contacts.ts';
import { eraseExpired } from '../../interviews/retention/erase-expired.ts';
import { takeLease, withLease } from '../../platform/db/lease.ts';
import { HOUR_MS, isoDateAt } from '../../platform/lib/day.ts';
import { loadRounds } from '../../study/rounds/model.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { studyTimeZone } from '../../study/settings/time-zone.ts';
import { MAX_THREADS } from './bootstrap-workers.ts';
import { executeRun } from './execute.ts';
import { JobModel } from './model.ts';
import { createNightlyRuns } from './nightly-run.ts';
import { findUnclaimedRun, LEASE_MS } from './run-lease.ts';
import { deleteOldRuns } from './sweep.ts';

export interface JobRunnerSettings {
  /** If a process does not renew its lease for this long, another one takes over its run. */
  holdMs: number;
  /** How often a process looks for runs. */
  pollMs: number;
  threads: number;
}

const TIMING: JobRunnerSettings = { holdMs: LEASE_MS, pollMs: 2_000, threads: MAX_THREADS };
const NIGHTLY_LOOK_MS = 60_000;

interface Service {
  /** Used if the study has no time zone. */
  timeZone: string;
  /** Key for the hash of the data. */
  secret: string;
  log: Logger;
}

export interface JobRunner {
  /** Stops the current work within moments; another process takes it over. */
  stop(): Promise<void>;
}

/** Ends the current pause of this process's runner. */
let wake = (): void => {};

/**
 * Announces a waiting run: this process starts right away if it works on runs; another one starts within two seconds.
 */
export const wakeRunJobs = (): void => wake();

export function startJobs(
  { timeZone, secret, log }: Service,
  timing: Partial<JobRunnerSettings> = {},
): JobRunner {
  const { holdMs, pollMs, threads } = { ...TIMING, ...timing };
  const closing = new AbortController();
  const { signal } = closing;
  const report = reporterOf(log);
  /** When to check runs again that were given back. */
  const later = new Map<string, number>();
  const workOnNext = async (): Promise<boolean> => {
    for (const [id, at] of later) if (at <= Date.now()) later.delete(id);
    const run = await findUnclaimedRun([...later.keys()]);
    if (!run) return false;
    later.set(run, Date.now() + holdMs / 4);
    if (await executeRun(run, { holdMs, threads, timeZone, secret, log, signal })) later.delete(run);
    return true;
  };
  const nightly = async () => {
    await deleteOldRuns(new Date());
    const zone = await studyTimeZone({ timeZone });
    await onceADay('nightly run', 3, zone, async () => {
      if ((await createNightlyRuns(zone, secret, new Date())).length > 0) wakeRunJobs();
    });
    await onceADay('contacts', 4, zone, async () => {
      const count = await eraseOldContacts(new Date(), zone);
      if (count > 0) log.info({ count }, 'erased phone numbers of respondents');
    });
    await onceADay('retention', 4, zone, async () => {
      const now = new Date();
      const expired = roundsPastRetention(await loadRounds(), await loadStudy(), now, zone);
      const counts = await eraseExpired({ now, ...expired, step: async () => signal.throwIfAborted() });
      if (counts.surveys || counts.users)
        log.info({ counts }, 'erased data that is past its retention period');
    });
  };
  const look = async (): Promise<void> => {
    while (!signal.aborted) {
      const isBusy = await workOnNext().then(report.went, report.failed);
      if (isBusy) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  let tending = Promise.resolve();
  const tend = () => {
    tending = tending.then(nightly).catch((error) => void report.failed(error));
  };
  tend();
  const timer = setInterval(tend, NIGHTLY_LOOK_MS);
  const looking = look();
  return {
    async stop() {
      closing.abort();
      clearInterval(timer);
      wake();
      await Promise.race([Promise.all([looking, tending]), sleep(5_000, undefined, { ref: false })]);
    },
  };
}

/** In an outage every check fails, so the same failure is logged only once. */
function reporterOf(log: Logger) {
  let failing = '';
  return {
    went: (isBusy: boolean) => {
      failing = '';
      return isBusy;
    },
    failed: (error: unknown): false => {
      const name = error instanceof Error ? error.name : 'Error';
      if (name !== failing)
        log.warn({ err: error }, 'looking for runs and nightly work failed; trying again');
      failing = name;
      return false;
    },
  };
}

/**
 * Does `work` once for each day of the study, in one process, after `hour` in the study's time zone (up to an hour off
 * on the two days a year when the clocks change). Catches up on a missed night; retries if the work fails.
 */
async function onceADay(name: string, hour: number, zone: string, work: () => Promise<void>): Promise<void> {
  const day = isoDateAt(new Date(Date.now() - hour * HOUR_MS), zone);
  const job = await JobModel.findById(name).lean();
  if (!job) {
    // On the service's first day there is nothing to catch up on.
    await JobModel.updateOne({ _id: name }, { $setOnInsert: { day } }, { upsert: true });
    return;
  }
  if (job.day >= day) return;
  const lease = await takeLease('night');
  if (!lease) return;
  await withLease(lease, async () => {
    const currentJob = await JobModel.findById(name).lean();
    if (currentJob && currentJob.day >= day) return;
    await work();
    await JobModel.updateOne({ _id: name }, { $set: { day } });
  });
}

/** Handles unhandled rejections in a process that exits after `stop`. */
export function ignoreClosedMongoClient(error: unknown): void {
  if (!(error instanceof mongoose.mongo.MongoClientClosedError)) throw error;
}
