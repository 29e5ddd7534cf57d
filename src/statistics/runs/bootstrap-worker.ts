/** A thread of bootstrap-workers.ts: calculates its part of the replicates, or the intervals from all of them. */
import { constants, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { serveJobs } from '../../platform/lib/workers/worker.ts';
import type { Replicates } from '../estimators/bootstrap/replicates.ts';
import { randomStream } from '../estimators/draws/random.ts';
import {
  bootstrapSampleOf,
  figuresPerReplicateOf,
  intervalsOf,
  replicatesOf,
} from '../estimators/intervals.ts';
import type { OutcomeAnswers } from '../estimators/outcome.ts';
import { ssWeights } from '../estimators/successive-sampling.ts';
import {
  type BootstrapTask,
  type BootstrapWorkerData,
  BUSY,
  MADE,
  type ReplicatePiece,
} from './bootstrap-workers.ts';

/** How many replicates are in memory in addition to those in the table. */
const REPLICATES_AT_ONCE = 200;

// On Linux, this sets the priority of this thread only, so that requests come first. Elsewhere it would affect the
// whole service.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);

const { recruiters, reportedSizes, sites, outcomes, bootstrap, state } = workerData as BootstrapWorkerData;
const bootstrapSample = bootstrapSampleOf(recruiters, reportedSizes, sites);
const widthIn = (outcome: OutcomeAnswers): number => figuresPerReplicateOf(outcome, bootstrap, sites);

/**
 * How long to rest, relative to the time worked. The lowest priority is not enough where cores share caches, so while
 * the service is busy, a thread works only a third of the time.
 */
const REST_FACTOR = 2;
const MAX_REST_MS = 200;
let since = performance.now();

function onReplicate(figures: number): void {
  Atomics.add(state, MADE, figures);
  if (Atomics.load(state, BUSY) === 1) {
    const rest = Math.min(MAX_REST_MS, REST_FACTOR * (performance.now() - since));
    // Nobody notifies it: it always waits until the timeout.
    Atomics.wait(state, BUSY, 1, rest);
  }
  since = performance.now();
}

/** The first column of each outcome in the table. */
function columnsOf({ from, to }: ReplicatePiece): number[] {
  let column = 0;
  return outcomes.slice(from, to).map((outcome) => {
    const first = column;
    column += widthIn(outcome);
    return first;
  });
}

function fill(piece: ReplicatePiece, first: number, count: number): void {
  const columns = columnsOf(piece);
  const { from, to, table, samples } = piece;
  // Gile's bootstrap has a lot of setup before its first replicate.
  const step = bootstrap.method === 'GILE' ? count : REPLICATES_AT_ONCE;
  for (let at = first; at < first + count; at += step) {
    const part = {
      samples: Math.min(step, first + count - at),
      seed: bootstrap.seed,
      first: at,
      onReplicate,
    };
    const replicates = replicatesOf(bootstrapSample, outcomes.slice(from, to), bootstrap, part);
    replicates.forEach(({ figures }, outcome) => {
      figures.forEach((values, figure) => {
        const start = ((columns[outcome] ?? 0) + figure) * samples + at;
        table.fill(Number.NaN, start, start + part.samples);
        table.set(values, start);
      });
    });
  }
}

function sum(piece: ReplicatePiece): ReturnType<typeof intervalsOf>[] {
  const columns = columnsOf(piece);
  return outcomes
    .slice(piece.from, piece.to)
    .map((outcome, at) =>
      intervalsOf(
        bootstrapSample,
        outcome,
        bootstrap,
        replicatesFrom(piece, columns[at] ?? 0, widthIn(outcome)),
      ),
    );
}

function replicatesFrom({ table, samples }: ReplicatePiece, column: number, width: number): Replicates {
  const figures = Array.from({ length: width }, (_, figure) => {
    const start = (column + figure) * samples;
    return table.subarray(start, start + samples).filter((value) => !Number.isNaN(value));
  });
  return { figures, dropped: samples - (figures[0]?.length ?? 0) };
}

serveJobs((task: BootstrapTask): unknown => {
  if (task.kind === 'sum') return sum(task.piece);
  if (task.kind === 'ss')
    return ssWeights(bootstrapSample.sizes, task.population, randomStream(bootstrap.seed, 'ss'));
  fill(task.piece, task.first, task.count);
  return null;
});
