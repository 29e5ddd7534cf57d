/**
 * The threads that work out one run. The replicates are shared out among them in equal parts; the numbers do not depend
 * on how many there are. What is asked at once is bounded: a table of replicates never has more than MOST_FIGURES.
 */
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { type Bootstrap, type Interval, widthOf } from '../analysis/intervals.ts';
import type { Outcome } from '../analysis/outcome.ts';
import { startWorker } from '../lib/worker.ts';

/** 128 MB. */
const MOST_FIGURES = 16 * 1024 * 1024;
/** Of a thread, beside the tables that it shares. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

/** One core is left for requests. */
export const MOST_THREADS = Math.max(1, availableParallelism() - 1);

export interface Question {
  /** [n] as in `Sample` of src/analysis. */
  recruiters: Int32Array;
  reportedSizes: Float64Array;
  outcomes: readonly Outcome[];
  bootstrap: Bootstrap & { seed: number };
  samples: number;
}

/** `state`: how many replicates are made, and whether requests keep the service busy (1). */
export type ThreadData = Omit<Question, 'samples'> & { state: Int32Array };
export const [MADE, BUSY] = [0, 1];

/** How often it is looked whether the service is busy, and from which share of the time on it is. */
const LOOK_MS = 100;
const BUSY_SHARE = 0.5;

/** Outcomes from ... to - 1, and the table of their replicates: [figures][samples]. */
export interface Piece {
  from: number;
  to: number;
  table: Float64Array;
  samples: number;
}

export type Task =
  | { kind: 'fill'; piece: Piece; first: number; count: number }
  | { kind: 'sum'; piece: Piece }
  | { kind: 'ss'; population: number };

export class TooLarge extends Error {
  /** Index of the outcome with too many levels for so many replicates. */
  readonly outcome: number;

  constructor(outcome: number) {
    super('too many levels for so many replicates');
    this.outcome = outcome;
  }
}

export interface Crew {
  /** The intervals of each outcome. Rejects where a thread fails, and once the crew is sent home. */
  work(): Promise<Interval[][]>;
  /** [n] the weights of successive sampling; null for a population below the sample. */
  ssWeights(population: number): Promise<Float64Array | null>;
  /** 0 to 1. */
  progress(): number;
  /** Ends all threads, wherever they are in their work. */
  home(): Promise<void>;
}

export function hire(question: Question, threads = MOST_THREADS): Crew {
  const ranges = rangesOf(question);
  const state = new Int32Array(new SharedArrayBuffer(8));
  const { samples, ...rest } = question;
  const workerData: ThreadData = { ...shared(rest), state };
  const crew = Array.from({ length: Math.min(threads, samples) }, () =>
    startWorker(import.meta.url, 'replicates-worker', { workerData, execArgv: [], resourceLimits: MEMORY }),
  );
  const parts = crew.map((_, at) => Math.floor((samples * at) / crew.length));
  const whole = samples * ranges.length;
  let done = 0;
  let before = performance.eventLoopUtilization();
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization();
    Atomics.store(
      state,
      BUSY,
      performance.eventLoopUtilization(now, before).utilization > BUSY_SHARE ? 1 : 0,
    );
    before = now;
  }, LOOK_MS).unref();
  return {
    async work() {
      const intervals: Interval[][] = [];
      for (const { from, to, width } of ranges) {
        const table = new Float64Array(new SharedArrayBuffer(8 * Math.max(1, width * samples)));
        const piece = { from, to, table, samples };
        const filled = crew.map((thread, at) => {
          const first = parts[at] ?? 0;
          return ask(thread, { kind: 'fill', piece, first, count: (parts[at + 1] ?? samples) - first });
        });
        await Promise.all(filled);
        const [lead] = crew;
        if (lead) intervals.push(...((await ask(lead, { kind: 'sum', piece })) as Interval[][]));
        done += samples;
      }
      return intervals;
    },
    async ssWeights(population) {
      const [lead] = crew;
      return lead ? ((await ask(lead, { kind: 'ss', population })) as Float64Array | null) : null;
    },
    // The counter of a run with many outcomes may pass what 32 bits hold: it is read for its rest alone.
    progress: () => (whole > 0 ? Math.min(1, (done + ((Atomics.load(state, MADE) - done) | 0)) / whole) : 1),
    home: async () => {
      clearInterval(looking);
      await Promise.all(crew.map((thread) => thread.terminate()));
    },
  };
}

/** Outcomes one after another, as many at once as the table holds. */
function rangesOf({ outcomes, samples }: Question): { from: number; to: number; width: number }[] {
  const ranges: { from: number; to: number; width: number }[] = [];
  outcomes.forEach((outcome, at) => {
    const width = widthOf(outcome);
    if (width * samples > MOST_FIGURES) throw new TooLarge(at);
    const last = ranges.at(-1);
    if (last && (last.width + width) * samples <= MOST_FIGURES) {
      last.to = at + 1;
      last.width += width;
    } else ranges.push({ from: at, to: at + 1, width });
  });
  return ranges;
}

/** Copied once, and not again for each thread. */
function shared(question: Omit<Question, 'samples'>): Omit<Question, 'samples'> {
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
    outcomes: question.outcomes.map((one) =>
      one.kind === 'CATEGORY' ? { ...one, codes: ints(one.codes) } : { ...one, values: floats(one.values) },
    ),
  };
}

/** One task at a time; the answer, or why there is none. */
function ask(thread: Worker, task: Task): Promise<unknown> {
  return new Promise((answered, failed) => {
    const off = () => {
      thread.off('message', onMessage);
      thread.off('error', onError);
      thread.off('exit', onExit);
    };
    const onMessage = (answer: unknown) => {
      off();
      answered(answer);
    };
    const onError = (error: unknown) => {
      off();
      failed(error);
    };
    const onExit = () => onError(new Error('the thread has ended'));
    thread.on('message', onMessage);
    thread.on('error', onError);
    thread.on('exit', onExit);
    thread.postMessage(task);
  });
}
