/**
 * Schedules runs and nightly work (the nightly run, retention) with a job library that uses the database. A job only
 * says that a run is waiting; the run's own lease (run-lease.ts) decides which process works on it. So a job that the
 * library starts twice does no harm, and SWEEP recreates one that got lost.
 */
import { MongoBackend } from '@agendajs/mongo-backend';
import { Agenda, constant, InMemoryNotificationChannel, type Job } from 'agenda';
import mongoose, { type Types } from 'mongoose';
import type { Logger } from 'pino';
import { retentionStart } from '../../interviews/retention/due.ts';
import { eraseExpired } from '../../interviews/retention/erase-expired.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { studyTimeZone } from '../../study/settings/time-zone.ts';
import { MAX_THREADS } from './bootstrap-workers.ts';
import { workOn } from './execute.ts';
import { Jobs } from './model.ts';
import { runOfTheNight } from './nightly-run.ts';
import { HOLD_MS } from './run-lease.ts';
import { sweep } from './sweep.ts';

const RUN = 'analysis run';
const REQUEUE_LOST_RUNS = 'tend analysis runs';
const NIGHT = 'analysis at night';
const RETENTION = 'retention';
const NIGHTLY_CRON = '0 3 * * *';
const AT_4 = '0 4 * * *';

/** After a night on which the database was out of reach. */
const RETRY_POLICY = constant({ delay: 10 * 60_000, maxRetries: 5 });

export interface Timing {
  /** A process that does not say for so long that it is alive has its run taken up by another. */
  holdMs: number;
  /** How often a process looks for runs that others were asked for. */
  lookMs: number;
  threads: number;
}

const TIMING: Timing = { holdMs: HOLD_MS, lookMs: 2_000, threads: MAX_THREADS };

interface Service {
  /** Where the study names none. */
  timeZone: string;
  /** The hash of the data is keyed by it. */
  secret: string;
  log: Logger;
}

export interface JobRunner {
  /** Ends what is under way within moments; another process takes it over. */
  stop(): Promise<void>;
}

/** The library waits for what a job returns, which its types do not say. */
type Awaited = (job: Job<never>) => void;

let open: { agenda: Agenda; store: string } | null = null;

function newAgenda(name: string, config: { lookMs?: number } = {}): Agenda {
  const { db } = mongoose.connection;
  if (!db) throw new Error('the connection to the database does not stand');
  // The indexes are ours (model.ts).
  const backend = new MongoBackend({
    mongo: db as never,
    collection: Jobs.collection.collectionName,
    ensureIndex: false,
  });
  const channel = new InMemoryNotificationChannel();
  return new Agenda({ backend, name, notificationChannel: channel, processEvery: config.lookMs ?? 2_000 });
}

/** Where this process works on runs itself it begins at once; else another one finds it soon. Again is harmless. */
export async function announce(run: Types.ObjectId): Promise<void> {
  const agenda = open?.store === mongoose.connection.name ? open.agenda : newAgenda('');
  const data = { run: run.toHexString() };
  await agenda
    .create(RUN, data)
    .unique({ 'data.run': data.run }, { insertOnly: true })
    .schedule(new Date())
    .save();
}

export async function startJobs(
  { timeZone, secret, log }: Service,
  timing: Partial<Timing> = {},
): Promise<JobRunner> {
  const { holdMs, lookMs, threads } = { ...TIMING, ...timing };
  const closing = new AbortController();
  const agenda = newAgenda('', { lookMs });
  // In an outage each look fails: said once.
  let failing = '';
  agenda.on('error', ({ name }: Error) => {
    if (name !== failing) log.warn({ type: name }, 'the job library reported an error');
    failing = name;
  });
  const alone = { concurrency: 1, lockLimit: 1, lockLifetime: holdMs };
  const work = async (job: Job<{ run: string }>) => {
    const beat = () => job.touch();
    const ended = await workOn(job.attrs.data.run, {
      ...{ holdMs, threads, timeZone, secret, log, beat },
      signal: closing.signal,
    }).catch((err: unknown) => {
      // An outage, say: the job must stay, or nobody would look at the run again.
      log.warn({ err, run: job.attrs.data.run }, 'checking a run again');
      return false;
    });
    // With a time it stays in the collection, for whoever looks next.
    if (!ended) job.schedule(new Date(Date.now() + (closing.signal.aborted ? 0 : holdMs / 4)));
  };
  agenda.define(RUN, work as Awaited, { ...alone, removeOnComplete: true });
  const sweepAll = async () => {
    for (const run of await sweep(new Date())) await announce(run);
    const zone = await studyTimeZone({ timeZone });
    await keepNightly(agenda, NIGHT, NIGHTLY_CRON, zone);
    await keepNightly(agenda, RETENTION, AT_4, zone);
  };
  agenda.define(REQUEUE_LOST_RUNS, sweepAll as Awaited, alone);
  const night = async () => {
    const run = await runOfTheNight(await studyTimeZone({ timeZone }), secret, new Date());
    if (run) await announce(run);
  };
  agenda.define(NIGHT, night as Awaited, { ...alone, lockLifetime: 10 * 60_000, backoff: RETRY_POLICY });
  const retention = async (job: Job) => {
    const now = new Date();
    const start = retentionStart(await loadStudy(), now, await studyTimeZone({ timeZone }));
    if (!start) return;
    const step = async () => {
      closing.signal.throwIfAborted();
      await job.touch();
    };
    const counts = await eraseExpired({ now, start, step });
    if (counts.surveys || counts.users) log.info({ counts }, 'erased data that is past its retention period');
  };
  agenda.define(RETENTION, retention as Awaited, {
    ...alone,
    lockLifetime: 10 * 60_000,
    backoff: RETRY_POLICY,
  });
  await agenda.start();
  open = { agenda, store: mongoose.connection.name };
  await agenda.every(60_000, REQUEUE_LOST_RUNS);
  await sweepAll();
  return {
    async stop() {
      closing.abort();
      open = null;
      await agenda.drain({ timeout: 5_000 });
    },
  };
}

/** For rejections that nobody handles, in a process that ends after `stop`. */
export function onlyClosed(error: unknown): void {
  if (!(error instanceof mongoose.mongo.MongoClientClosedError)) throw error;
}

/** In the study's own time zone, which may change. A night that was missed is made up for: its time stays. */
async function keepNightly(agenda: Agenda, name: string, at: string, timezone: string): Promise<void> {
  const { jobs } = await agenda.queryJobs({ name });
  if (jobs.some((job) => job.repeatTimezone === timezone && job.repeatInterval === at)) return;
  await agenda.every(at, name, undefined, { timezone, skipImmediate: true });
}
