/** The weights in the bundle, and the RDS-II estimates with intervals from its replicate weights. */

import { randomSeedOf } from '../../statistics/estimators/draws/random.ts';
import type { LevelInterval } from '../../statistics/estimators/intervals.ts';
import { type OutcomeAnswers, rowsWithKnownAnswer } from '../../statistics/estimators/outcome.ts';
import { imputedNetworkSizes } from '../../statistics/estimators/sample/sample.ts';
import { rds2Weights } from '../../statistics/estimators/weights.ts';
import { startBootstrap } from '../../statistics/runs/bootstrap-workers.ts';
import { csvText } from '../interviews/row-text.ts';
import type { SampleExportQuery } from '../schema.ts';
import { uniqueColumnNames } from './sample-table.ts';

const DEFAULT_REPLICATES = 500;
const MIN_REPLICATES = 100;
/**
 * Maximum number of replicate weights in weights.csv, about 70 MB. A larger sample has fewer replicates, or none if not
 * even the minimum fits.
 */
const MAX_CELLS = 10_000_000;

export interface TreeBootstrapWeights {
  /** [n], each sums to 1; `ss` is null if no population size is set, or one below the sample size. */
  rds2: Float64Array;
  ss: Float64Array | null;
  /** Number of replicates in weights.csv. */
  replicates: number;
  seed: number;
  /** [outcomes] */
  intervals: LevelInterval[][];
}

/** The part of a `StudySample` that is needed. */
interface Weighed {
  recruiters: Int32Array;
  reportedSizes: Float64Array;
  outcomes: readonly { name: string; outcome: OutcomeAnswers }[];
  study: { populationSize: number | null };
}

export function replicateCountFor(people: number): number {
  const fitting = Math.min(DEFAULT_REPLICATES, Math.floor(MAX_CELLS / Math.max(1, people)));
  return fitting < MIN_REPLICATES ? 0 : fitting;
}

/** Calculated by threads, so that requests aren't blocked; stopped if nobody waits for the file anymore. */
export async function weightsWithTreeIntervals(
  { recruiters, reportedSizes, outcomes, study }: Weighed,
  window: SampleExportQuery,
  signal?: AbortSignal,
): Promise<TreeBootstrapWeights> {
  const n = recruiters.length;
  const replicates = replicateCountFor(n);
  const { populationSize } = study;
  // Seeded by the query, so that the same query of the same data has the same replicates.
  const seed = randomSeedOf(window);
  const weights = { rds2: rds2Weights(imputedNetworkSizes(reportedSizes)), replicates, seed };
  if (n === 0) return { ...weights, ss: null, intervals: outcomes.map(() => []) };
  const workers = startBootstrap({
    recruiters,
    reportedSizes,
    sites: null,
    outcomes: outcomes.map(({ outcome }) => outcome),
    bootstrap: { method: 'TREE', estimator: 'RDS_II', population: null, confidence: 0.95, seed },
    samples: Math.max(replicates, MIN_REPLICATES),
  });
  const end = () => void workers.stop();
  signal?.addEventListener('abort', end, { once: true });
  try {
    signal?.throwIfAborted();
    const ss = populationSize === null || populationSize < n ? null : await workers.ssWeights(populationSize);
    return { ...weights, ss, intervals: await workers.intervals() };
  } finally {
    signal?.removeEventListener('abort', end);
    await workers.stop();
  }
}

/** estimates.csv: RDS-II of each outcome, with intervals from exactly the replicates in weights.csv. */
export function* estimatesCsv(
  outcomes: Weighed['outcomes'],
  { intervals }: TreeBootstrapWeights,
): Generator<string> {
  yield csvText([['outcome', 'level', 'count', 'rds_ii', 'standard_error', 'low', 'high']]);
  const names = uniqueColumnNames(outcomes.map(({ name }) => name));
  for (const [at, name] of names.entries()) {
    const { outcome } = outcomes[at]!;
    // For a number, the interval's `count` is the number of people behind its mean, which may be fewer than answered.
    const answered = outcome.kind === 'NUMBER' ? rowsWithKnownAnswer(outcome).length : null;
    yield csvText(
      (intervals[at] ?? []).map(({ value, count, estimate, standardError, low, high }) => [
        name,
        value,
        answered ?? count,
        estimate,
        standardError,
        low,
        high,
      ]),
    );
  }
}
