/**
 * Bootstrap intervals whose replicates can be shared between threads: `replicatesOf` calculates any part of them, and
 * `intervalsOf` summarizes all for an outcome. Results don't depend on the division, because each replicate has its own
 * random numbers and their order doesn't matter.
 */
import { chainBootstrap, chainMethodVariants } from './bootstrap/bootstrap-chain.ts';
import { gileBootstrap } from './bootstrap/bootstrap-gile.ts';
import { salganikBootstrap } from './bootstrap/bootstrap-salganik.ts';
import { treeBootstrap } from './bootstrap/bootstrap-tree.ts';
import {
  isWithoutVariation,
  type ReplicateSettings,
  type Replicates,
  spreadOf,
} from './bootstrap/replicates.ts';
import { testChainDifference } from './chains-differ.ts';
import { errorByChainDistance } from './distance.ts';
import { randomStream } from './draws/random.ts';
import type { TreeReasonEvidence } from './first-interval.ts';
import {
  type CategoryOutcome,
  levelCountOf,
  levelCountsOf,
  type OutcomeAnswers,
  outcomeVariablesOf,
  rowsHavingAnswer,
  rowsWithKnownAnswer,
} from './outcome.ts';
import { percentileIntervalOrNull, standardDeviation } from './quantile.ts';
import { harmonicMeanSizes, rds1Shares, stationaryOf, transitionsOf } from './rds1.ts';
import { cellSizeOf } from './sample/cell-size.ts';
import { imputedNetworkSizes, recruitmentTree, type SampleTree } from './sample/sample.ts';
import { type SitePopulations, standardizedEstimate } from './standardized.ts';
import { ssWeights } from './successive-sampling.ts';
import { outcomeVarianceOf, rds2Weights, weightedEstimateOf } from './weights.ts';

export interface BootstrapSettings {
  method: 'CHAIN' | 'TREE' | 'GILE' | 'SALGANIK';
  estimator: 'RDS_I' | 'RDS_II' | 'SS';
  /** For GILE and SS: at least the number of respondents. */
  population: number | null;
  /** Between 0 and 1. */
  confidence: number;
}

export interface LevelInterval {
  /** Null for a number. */
  value: string | null;
  /** Cell size: known answers at this level, or the cell size of a number. */
  count: number;
  estimate: number | null;
  standardError: number | null;
  low: number | null;
  high: number | null;
  designEffect: number | null;
  effectiveSize: number | null;
  /** Number of replicates without an estimate. */
  dropped: number;
  /**
   * Percentiles of 1 / share over the replicates of CHAIN or TREE, for population counts. A replicate without such an
   * answer is infinite; infinite bounds are null.
   */
  inverse: { low: number | null; high: number | null } | null;
  /** Only for CHAIN with RDS-II. */
  reasons?: TreeReasonEvidence;
  /** Only for CHAIN, if site sizes are known. */
  standardised?: SiteStandardizedEstimate | null;
}

export interface SiteStandardizedEstimate {
  estimate: number;
  standardError: number;
  low: number;
  high: number;
}

/** A sample, with data that each thread derives from it. */
export interface BootstrapSample {
  recruiters: Int32Array;
  tree: SampleTree;
  sizes: Float64Array;
  /** Only used by CHAIN; null without sites. */
  sites: SitePopulations | null;
}

/** Arrays [n] as in `Sample`. */
export const bootstrapSampleOf = (
  recruiters: Int32Array,
  reportedSizes: Float64Array,
  sites: SitePopulations | null = null,
): BootstrapSample => ({
  recruiters,
  tree: recruitmentTree(recruiters),
  sizes: imputedNetworkSizes(reportedSizes),
  sites,
});

/** Number of figures per replicate. */
export const figuresPerReplicateOf = (
  outcome: OutcomeAnswers,
  { method }: Pick<BootstrapSettings, 'method'>,
  sites: SitePopulations | null,
): number => levelCountOf(outcome) * (method === 'CHAIN' ? chainMethodVariants(sites).length : 1);

/** For each outcome, the replicates in `part`. GILE and SALGANIK only work for categories. */
export function replicatesOf(
  ground: BootstrapSample,
  outcomes: readonly OutcomeAnswers[],
  { method, estimator, population }: BootstrapSettings,
  part: ReplicateSettings,
): Replicates[] {
  const { recruiters, tree, sizes, sites } = ground;
  if (method === 'CHAIN') {
    const weights = estimator === 'SS' ? ssOf(ground, population, part.seed) : rds2Weights(sizes);
    if (weights) return chainBootstrap({ recruiters, tree, weights, sites }, outcomes, part);
    throw new Error('the population is smaller than the sample');
  }
  if (method === 'TREE') return treeBootstrap(tree, outcomes, sizes, part);
  return outcomes.map((outcome): Replicates => {
    if (outcome.kind === 'NUMBER') throw new Error('this bootstrap is of categories alone');
    if (rowsWithKnownAnswer(outcome).length === 0)
      return { figures: outcome.levels.map(() => new Float64Array(0)), dropped: part.samples };
    if (method === 'GILE') return gileBootstrap(outcome, recruiters, tree, sizes, population ?? 0, part);
    const byEstimator = salganikBootstrap(outcome, recruiters, sizes, part);
    return estimator === 'RDS_I' ? byEstimator.RDS_I : byEstimator.RDS_II;
  });
}

/** One interval per level, or one for a number. `replicates` must be complete. */
export function intervalsOf(
  ground: BootstrapSample,
  outcome: OutcomeAnswers,
  bootstrap: BootstrapSettings & { seed: number },
  { figures, dropped }: Replicates,
): LevelInterval[] {
  const { method, estimator, confidence, population } = bootstrap;
  const rds2 = rds2Weights(ground.sizes);
  const estimates = estimatesOf(ground, outcome, bootstrap, rds2);
  const answerCount = rowsWithKnownAnswer(outcome).length;
  const isShare = outcome.kind === 'CATEGORY';
  const [values, counts] = isShare
    ? [outcome.levels, levelCountsOf(outcome)]
    : [[null], [cellSizeOf(outcome.values)]];
  const bySs = estimator === 'SS' && population !== null && population > 1;
  const correction = bySs ? (population - answerCount) / (population - 1) : 1;
  // CHAIN draws with replacement, as if the population were infinite.
  const scale = method === 'CHAIN' ? Math.sqrt(correction) : 1;
  const percentiles = method === 'TREE' || (method === 'CHAIN' && !bySs);
  const ofChain = method === 'CHAIN' && !bySs ? chainIntervalExtras(ground, outcome, rds2, figures) : null;
  return values.map((value, at): LevelInterval => {
    const figure = estimates?.[at] ?? null;
    const draws = figures[at] ?? new Float64Array(0);
    const rest = { value, count: counts[at] ?? 0, estimate: figure, dropped };
    const of = { known: answerCount, correction, confidence, percentiles, scale, isShare };
    const spread =
      figure === null
        ? null
        : spreadOf(draws, { ...of, figure, variance: outcomeVarianceOf(outcome, figure, rds2) });
    return {
      ...rest,
      standardError: spread?.se ?? null,
      low: spread?.low ?? null,
      high: spread?.high ?? null,
      designEffect: spread?.designEffect ?? null,
      effectiveSize: spread?.effectiveSize ?? null,
      inverse: isShare && percentiles ? inverseBounds(draws, confidence) : null,
      ...ofChain?.(at, confidence),
    };
  });
}

function estimatesOf(
  ground: BootstrapSample,
  outcome: OutcomeAnswers,
  { estimator, population, seed }: BootstrapSettings & { seed: number },
  rds2: Float64Array,
): number[] | null {
  const { recruiters, sizes } = ground;
  if (estimator === 'SS') {
    const ss = ssOf(ground, population, seed);
    return ss && weightedEstimateOf(outcome, ss);
  }
  if (estimator === 'RDS_I' && outcome.kind === 'CATEGORY') return rds1Of(outcome, recruiters, sizes);
  return weightedEstimateOf(outcome, rds2);
}

const ssOf = ({ sizes }: BootstrapSample, population: number | null, seed: number): Float64Array | null =>
  population === null ? null : ssWeights(sizes, population, randomStream(seed, 'ss'));

/** CHAIN's additional results for each level. `figures`: those of `chainMethodVariants`, one after the other. */
export function chainIntervalExtras(
  { tree, sites }: Pick<BootstrapSample, 'tree' | 'sites'>,
  outcome: OutcomeAnswers,
  rds2: Float64Array,
  figures: readonly Float64Array[],
): (level: number, confidence: number) => Pick<LevelInterval, 'reasons' | 'standardised'> {
  const variables = outcomeVariablesOf(outcome);
  const parts = chainMethodVariants(sites);
  return (level, confidence) => {
    const variable = variables[level]!;
    const replicates = (part: (typeof parts)[number]) =>
      parts.includes(part) ? figures[parts.indexOf(part) * variables.length + level] : undefined;
    const plainError = standardDeviation(replicates('PLAIN') ?? replicates('WHOLE') ?? []);
    const reasons: TreeReasonEvidence = {
      plainError,
      distanceError: errorByChainDistance(variable, tree, rds2)?.standardError ?? null,
      chainsDiffer: testChainDifference(variable, tree, rds2, plainError),
    };
    const draws = replicates('STANDARDISED');
    const figure =
      draws && sites ? standardizedEstimate(variable, rds2, sites, rowsHavingAnswer(variable)) : null;
    if (!draws || figure === null) return { reasons };
    const of = { figure, variance: 0, known: 1, confidence, percentiles: true, isShare: false };
    const spread = spreadOf(draws, of);
    if (!spread) return { reasons, standardised: null };
    const { se, low, high } = spread;
    return { reasons, standardised: { estimate: figure, standardError: se, low, high } };
  };
}

function rds1Of(category: CategoryOutcome, recruiters: Int32Array, sizes: Float64Array): number[] | null {
  if (category.levels.length === 0) return null;
  const stationary = stationaryOf(transitionsOf(category, recruiters).shares);
  return typeof stationary === 'string' ? null : rds1Shares(stationary, harmonicMeanSizes(category, sizes));
}

/** Percentiles of 1 / share; null in the same cases as in `spreadOf`. `shares` are one level's replicates. */
function inverseBounds(shares: Float64Array, confidence: number): LevelInterval['inverse'] {
  if (shares.length < 2) return null;
  const sorted = shares.map((share) => 1 / share).sort();
  if (isWithoutVariation(sorted)) return null;
  return percentileIntervalOrNull(sorted, confidence);
}
