/** The warnings that the results pages would show for an outcome of a sample. */

import { reasonToShowTreeInterval } from '../src/statistics/estimators/first-interval.ts';
import {
  type BootstrapSettings,
  bootstrapSampleOf,
  intervalsOf,
  type LevelInterval,
  replicatesOf,
} from '../src/statistics/estimators/intervals.ts';
import { type OutcomeAnswers, rowsWithKnownAnswer } from '../src/statistics/estimators/outcome.ts';
import type { AnalysisSettings } from '../src/statistics/estimators/results.ts';
import { isUsableNetworkSize, type Sample } from '../src/statistics/estimators/sample/sample.ts';
import { estimateOutcome } from '../src/statistics/results/estimate.ts';
import type { EstimateWarning } from '../src/statistics/results/schema.ts';
import { estimateWarningsOf } from '../src/statistics/results/warnings/warnings.ts';

type RunSettings = Pick<AnalysisSettings, 'population' | 'randomSeed' | 'samples' | 'confidence' | 'sites'>;

/** Those of CHAIN, and those that come first. */
export function intervalsFor(
  sample: Sample,
  outcome: OutcomeAnswers,
  { population, randomSeed: seed, samples, confidence, sites = null }: RunSettings,
): { first: 'CHAIN' | 'TREE'; chain: LevelInterval[]; ofFirst: LevelInterval[] } {
  const ground = bootstrapSampleOf(sample.recruiters, sample.reportedSizes, sites);
  const intervals = (method: BootstrapSettings['method']): LevelInterval[] => {
    const bootstrap = { method, estimator: 'RDS_II', population, confidence, seed } as const;
    const [replicates] = replicatesOf(ground, [outcome], bootstrap, { samples, seed });
    return replicates ? intervalsOf(ground, outcome, bootstrap, replicates) : [];
  };
  const chain = intervals('CHAIN');
  const isTreeFirst = reasonToShowTreeInterval(chain.flatMap(({ reasons }) => reasons ?? [])) !== null;
  return isTreeFirst
    ? { first: 'TREE', chain, ofFirst: intervals('TREE') }
    : { first: 'CHAIN', chain, ofFirst: chain };
}

/** Those about intervals, and about chains that differ, need the method chain or tree. */
export function warningsFor(
  sample: Sample,
  outcome: OutcomeAnswers,
  question: AnalysisSettings,
): EstimateWarning[] {
  const { population, randomSeed, method, sites = null } = question;
  const n = sample.ids.length;
  if (rowsWithKnownAnswer(outcome).length === 0) return [];
  const estimates = estimateOutcome({
    sample,
    times: Float64Array.from(sample.order),
    outcome,
    population: { size: population, low: null, high: null },
    randomSeed,
    sites,
  });
  const intervals = method === 'chain' || method === 'tree' ? intervalsFor(sample, outcome, question) : null;
  return estimateWarningsOf({
    estimate: estimates,
    n,
    askedCount: n,
    sizesMissing: sample.reportedSizes.filter((size) => !isUsableNetworkSize(size)).length,
    population,
    isShare: outcome.kind === 'CATEGORY',
    strangers: null,
    shown: estimates.counts.map(() => true),
    intervals: intervals?.ofFirst ?? null,
    chain: intervals?.chain ?? null,
  });
}
