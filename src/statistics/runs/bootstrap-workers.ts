/**
 * The threads that calculate one run. Each calculates an equal part of the replicates; the results do not depend on the
 * number of threads. A table of replicates never has more than MAX_FIGURES figures.
 */
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import {
  type BootstrapSettings,
  figuresPerReplicateOf,
  type LevelInterval,
} from '../estimators/intervals.ts';
import type { OutcomeAnswers } from '../estimators/outcome.ts';
import type { SitePopulations } from '../estimators/standardized.ts';

/** 128 MB. */
const MAX_FIGURES = 16 * 1024 * 1024;
/** Limits per thread, not counting the shared tables. */
const MEMORY = { memoryMb: 512, youngMb: 32 };

/** Leaves one core for requests. */
export const MAX_THREADS = Math.max(1, availableParallelism() - 1);

export interface BootstrapInput {
  /** [n] as in `Sample` of src/statistics/estimators. */
  recruiters: Int32Array;
  reportedSizes: Float64Array;
  /** For CHAIN. */
  sites: SitePopulations | null;
  outcomes: readonly OutcomeAnswers[];
  bootstrap: BootstrapSettings & { seed: number };
  samples: number;
}

/** `state`: how many replicate figures are finished, and whether the service is busy with requests (1). */
export type BootstrapWorkerData = Omit<BootstrapInput, 'samples'> & { state: Int32Array };
export const [MADE, BUSY] = [0, 1];

/** How often we check whether the service is busy, and the share of time above which it is. */
const WATCH_MS = 100;
const BUSY_SHARE = 0.5;

/** Outcomes from `from` to `to` - 1, and the table of their replicates: [figures][samples]. */
export interface ReplicatePiece {
  from: number;
  to: number;
  table: Float64Array;
  samples: number;
}

export type BootstrapTask =
  | { kind: 'fill'; piece: ReplicatePiece; first: number; count: number }
  | { kind: 'sum'; piece: ReplicatePiece }
  | { kind: 'ss'; population: number };

export class TooManyLevelsError extends Error {
  /** Index of the outcome that has too many levels for this many replicates. */
  readonly outcome: number;

  constructor(outcome: number) {
    super('too many levels for so many replicates');
    this.outcome = outcome;
  }
}

export interface BootstrapWorkers {
  /** One list per outcome. Rejects if a worker fails, or after `stop`. */
  intervals(): Promise<LevelInterval[][]>;
  /** [n] the SS weights; null if the population is smaller than the sample. */
  ssWeights(population: number): Promise<Float64Array | null>;
  /** 0 to 1. */
  progress(): number;
  /** Ends all workers immediately, whatever they are doing. */
  stop(): Promise<void>;
}

/** Each run gets its own workers, so that their memory is freed when it ends. */
export function startBootstrap(question: BootstrapInput, threads = MAX_THREADS): BootstrapWorkers {
  const ranges = rangesOf(question);
  const state = new Int32Array(new SharedArrayBuffer(8));
  const { samples, ...rest } = question;
  const data: BootstrapWorkerData = { ...shared(rest), state };
  const size = Math.min(threads, samples);
  const pool = new WorkerPool<BootstrapTask, unknown>({
    ...{ kind: 'thread', from: import.meta.url, name: 'bootstrap-worker', size, data, ...MEMORY },
  });
  const parts = Array.from({ length: size + 1 }, (_, at) => Math.floor((samples * at) / size));
  const whole = ranges.reduce((sum, { width }) => sum + width * samples, 0);
  let finishedReplicates = 0;
  const watching = setInterval(busyWatch(state), WATCH_MS).unref();
  return {
    async intervals() {
      const intervals: LevelInterval[][] = [];
      for (const { from, to, width } of ranges) {
        const table = new Float64Array(new SharedArrayBuffer(8 * Math.max(1, width * samples)));
        const piece = { from, to, table, samples };
        const filled = parts
          .slice(0, size)
          .map((first, at) => pool.run({ kind: 'fill', piece, first, count: parts[at + 1]! - first }));
        await Promise.all(filled);
        intervals.push(...((await pool.run({ kind: 'sum', piece })) as LevelInterval[][]));
        finishedReplicates += width * samples;
      }
      return intervals;
    },
    ssWeights: async (population) => (await pool.run({ kind: 'ss', population })) as Float64Array | null,
    // With many outcomes the counter may exceed 32 bits, so only its difference is used.
    progress: () =>
      whole > 0
        ? Math.min(1, (finishedReplicates + ((Atomics.load(state, MADE) - finishedReplicates) | 0)) / whole)
        : 1,
    async stop() {
      clearInterval(watching);
      await pool.stop();
    },
  };
}

/** Sets BUSY while this thread is busy with requests. */
function busyWatch(state: Int32Array): () => void {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    Atomics.store(state, BUSY, utilization > BUSY_SHARE ? 1 : 0);
    before = now;
  };
}

/** Groups consecutive outcomes, with as many per group as fit in a table. */
function rangesOf({
  outcomes,
  samples,
  bootstrap,
  sites,
}: BootstrapInput): { from: number; to: number; width: number }[] {
  const ranges: { from: number; to: number; width: number }[] = [];
  outcomes.forEach((outcome, at) => {
    const width = figuresPerReplicateOf(outcome, bootstrap, sites);
    if (width * samples > MAX_FIGURES) throw new TooManyLevelsError(at);
    const last = ranges.at(-1);
    if (last && (last.width + width) * samples <= MAX_FIGURES) {
      last.to = at + 1;
      last.width += width;
    } else ranges.push({ from: at, to: at + 1, width });
  });
  return ranges;
}

/** Copies the arrays into shared memory once, instead of once per thread. */
function shared(question: Omit<BootstrapInput, 'samples'>): Omit<BootstrapInput, 'samples'> {
  const ints = (from: Int32Array) => {
    const to = new Int32Array(new SharedArrayBuffer(from.byteLength));
    to.set(from);
    return to;
  };
  const floats = (from: Float64Array) => {
    const to = new Float64Array(new SharedArrayBuffer(from.byteLength));
    to.set(from);
    return to;
  };
  return {
    ...question,
    recruiters: ints(question.recruiters),
    reportedSizes: floats(question.reportedSizes),
    sites: question.sites && { ...question.sites, codes: ints(question.sites.codes) },
    outcomes: question.outcomes.map((one) =>
      one.kind === 'CATEGORY' ? { ...one, codes: ints(one.codes) } : { ...one, values: floats(one.values) },
    ),
  };
}
