/** Executes one run from start to finish, in the process that holds its lease. */
import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { Problem } from '../../platform/http/problems/problem.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { studyTimeZone } from '../../study/settings/time-zone.ts';
import { chainsOf, effectiveNumberOfChains } from '../estimators/chains.ts';
import { rowsWithKnownAnswer } from '../estimators/outcome.ts';
import { recruitmentTree } from '../estimators/sample/sample.ts';
import { ANALYSIS_VERSION } from '../estimators/version.ts';
import { outcomeTablesBySite, type SiteTable } from '../sample/by-site.ts';
import { dataHash } from '../sample/data-hash.ts';
import { loadSample, type StudySample } from '../sample/load.ts';
import { isSampleNarrowed } from '../sample/right.ts';
import type { LoadedOutcome } from '../sample/sample.ts';
import { siteMembershipOutcomeNames, siteSettingsFingerprint, sitesWithPeopleOf } from '../sample/sites.ts';
import { type BootstrapInput, startBootstrap, TooManyLevelsError } from './bootstrap-workers.ts';
import { AnalysisRunModel, type AnalysisRunRecord, type RunResult } from './model.ts';
import {
  failRun,
  finishRun,
  giveUpRunLease,
  MAX_RUN_TRIES,
  renewRunLease,
  takeRunLease,
} from './run-lease.ts';

export interface RunExecutorOptions {
  holdMs: number;
  threads: number;
  /** The service's time zone, used if the study has none. */
  timeZone: string;
  /** The service's secret; key for the hash of the data. */
  secret: string;
  log: Logger;
  /** Aborts when the service shuts down. */
  signal: AbortSignal;
}

type ClaimedRun = AnalysisRunRecord & { holder: string };

/** The request can't be fulfilled; the message is shown to the user. */
class RunFailed extends Error {}

/** Returns false if the run must be checked again: it was given back, or another process is working on it. */
export async function executeRun(id: string, work: RunExecutorOptions): Promise<boolean> {
  const _id = new mongoose.Types.ObjectId(id);
  if (work.signal.aborted) return false;
  const run = await takeRunLease(_id, work.holdMs);
  if (!run) {
    const current = await AnalysisRunModel.findById(_id, { state: 1 }).lean();
    return current?.state !== 'WAITING' && current?.state !== 'RUNNING';
  }
  try {
    if (run.tries > MAX_RUN_TRIES)
      throw new RunFailed(`It was started ${MAX_RUN_TRIES} times and never finished.`);
    const result = await whileHeld(run, work, (signal, tracker) => resultOf(run, work, signal, tracker));
    if (result) await finishRun(run, result, new Date());
    else if (work.signal.aborted) await giveUpRunLease(run, false);
    return !work.signal.aborted;
  } catch (error) {
    const reason = wordsOf(error);
    // A local problem, such as an unreachable database: try again, and count the attempt.
    if (reason === null) {
      work.log.warn({ err: error, run: id }, 'an analysis run was interrupted');
      await giveUpRunLease(run, true);
      return false;
    }
    await failRun(run, reason, new Date());
    return true;
  }
}

function wordsOf(error: unknown): string | null {
  if (error instanceof RunFailed) return error.message;
  if (!(error instanceof Problem) || error.status >= 500) return null;
  const parts = error.errors?.map(({ path, message }) => `${path}: ${message}`) ?? [];
  return parts.length > 0 ? parts.slice(0, 10).join(' ') : error.message;
}

type Progress = { progress(): number };

/**
 * Aborts `working` and returns null when the service shuts down, the run is canceled or another process has taken over.
 */
async function whileHeld<T>(
  run: ClaimedRun,
  { holdMs, signal }: RunExecutorOptions,
  working: (signal: AbortSignal, tracker: Progress) => Promise<T>,
): Promise<T | null> {
  const lost = new AbortController();
  const tracker: Progress = { progress: () => 0 };
  let keptAt = performance.now();
  const look = async () => {
    if (await renewRunLease(run, tracker.progress(), holdMs)) keptAt = performance.now();
    else lost.abort();
  };
  const timer = setInterval(
    () => {
      look().catch(() => {
        // We no longer know whether another process has taken over.
        if (performance.now() - keptAt > holdMs) lost.abort();
      });
    },
    Math.min(1_000, holdMs / 4),
  );
  const ended = AbortSignal.any([signal, lost.signal]);
  try {
    const result = await working(ended, tracker);
    return ended.aborted ? null : result;
  } catch (error) {
    if (ended.aborted) return null;
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function resultOf(
  run: ClaimedRun,
  work: RunExecutorOptions,
  signal: AbortSignal,
  tracker: Progress,
): Promise<RunResult> {
  const since = performance.now();
  const sample = await cut(run, work);
  const { question, facts } = questionOf(run, sample);
  const hash = dataHash(sample, work.secret);
  const names = question.outcomes.map((_, at) => sample.outcomes[at]!.name);
  const tables = tablesToStore(outcomeTablesBySite(sample));
  const { asOf } = sample;
  signal.throwIfAborted();
  const workers = started(question, names, work.threads);
  tracker.progress = workers.progress;
  const stop = () => void workers.stop();
  signal.addEventListener('abort', stop);
  try {
    const intervals = await workers.intervals();
    return {
      asOf,
      sample: facts,
      outcomes: names.map((name, at) => ({ name, levels: intervals[at] ?? [], ...tables[at] })),
      ...(run.request.method === 'CHAIN' ? { sites: siteSettingsFingerprint(sample.study) } : {}),
      randomSeed: run.randomSeed,
      dataHash: hash,
      version: ANALYSIS_VERSION,
      seconds: Math.round((performance.now() - since) / 10) / 100,
    };
  } finally {
    signal.removeEventListener('abort', stop);
    await workers.stop();
  }
}

async function cut({ request }: ClaimedRun, { timeZone }: RunExecutorOptions): Promise<StudySample> {
  const { location, from, to, questionnaire, round, outcome } = request;
  const window = Object.fromEntries(
    Object.entries({ location, from, to, questionnaire, round }).filter(([, value]) => value !== null),
  );
  const zone = await studyTimeZone({ timeZone });
  const outcomes = outcome === null ? ('ESTIMABLE' as const) : { outcome };
  const optionalOutcomes = request.method === 'CHAIN' ? siteMembershipOutcomeNames(await loadStudy()) : [];
  const withOtherSites = !isSampleNarrowed(request);
  return await loadSample({ window, zone, now: new Date(), outcomes, optionalOutcomes, withOtherSites });
}

/** The most cells that fit in a record. */
const MAX_CELLS = 200_000;

/** One entry per outcome. Without its table, a run of a single site is hidden completely. */
function tablesToStore(tables: (SiteTable | null)[]): { sites?: SiteTable }[] {
  let room = MAX_CELLS;
  return tables.map((sites) => {
    const cells = sites ? sites.people.length * sites.levels.length : 0;
    if (!sites || cells > room) return {};
    room -= cells;
    return { sites };
  });
}

function questionOf({ request, randomSeed: seed }: ClaimedRun, sample: StudySample) {
  const { method, estimator, confidence, samples } = request;
  const population = request.populationSize;
  const { recruiters, reportedSizes } = sample;
  // For a single outcome, drop the site outcomes that were loaded along with it.
  const outcomes = sample.outcomes.slice(0, request.outcome === null ? undefined : 1);
  const n = recruiters.length;
  if (n === 0) throw new RunFailed('The sample is empty.');
  if (estimator === 'SS' && population !== null && population < n)
    throw new RunFailed(`The population of ${population} is smaller than the sample of ${n}.`);
  if (
    (method === 'GILE' || method === 'SALGANIK') &&
    outcomes.some(({ outcome }) => outcome.kind === 'NUMBER')
  )
    throw new RunFailed('This method only works for categories. Use CHAIN or TREE for numbers.');
  const question: BootstrapInput = {
    recruiters,
    reportedSizes,
    sites: method === 'CHAIN' ? sitesWithPeopleOf(sample.outcomes, sample.study) : null,
    outcomes: outcomes.map(({ outcome }) => outcome),
    bootstrap: { method, estimator, population, confidence, seed },
    samples,
  };
  const [only] = request.outcome === null ? [] : outcomes;
  const populationSize = population ?? sample.study.populationSize;
  return { question, facts: sampleFacts(sample, only ?? null, populationSize) };
}

function started(question: BootstrapInput, names: readonly string[], threads: number) {
  try {
    return startBootstrap(question, threads);
  } catch (error) {
    if (!(error instanceof TooManyLevelsError)) throw error;
    const name = names[error.outcome] ?? '';
    throw new RunFailed(
      `${name} has too many different answers for so many replicates. Use fewer replicates.`,
    );
  }
}

/** Facts about the sample. `known` and `missing` are those of a single outcome, or null if there are several. */
function sampleFacts(
  { recruiters, orphans, sizeMissing, sizeZero }: StudySample,
  only: LoadedOutcome | null,
  populationSize: number | null,
) {
  const tree = recruitmentTree(recruiters);
  const chains = chainsOf(tree);
  const n = recruiters.length;
  const answerCount = only && rowsWithKnownAnswer(only.outcome).length;
  const notAsked = only?.notAsked ?? null;
  return {
    n,
    seeds: chains.length,
    orphans,
    waves: chains.reduce((max, { waves }) => Math.max(max, waves), 0),
    known: answerCount,
    missing: answerCount === null || notAsked === null ? null : n - answerCount - notAsked,
    notAsked,
    sizeMissing,
    sizeZero,
    largestChain: n > 0 ? (chains[0]?.people ?? 0) / n : 0,
    numberOfChains: effectiveNumberOfChains(chains),
    populationSize,
  };
}
