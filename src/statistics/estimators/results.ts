/** All results for a sample and its outcomes, in the format that `npm run analyse -- --json` prints. */
import { chainBootstrap, chainMethodVariants } from './bootstrap/bootstrap-chain.ts';
import { gileBootstrap } from './bootstrap/bootstrap-gile.ts';
import { salganikBootstrap } from './bootstrap/bootstrap-salganik.ts';
import { treeBootstrap } from './bootstrap/bootstrap-tree.ts';
import { type ReplicateSpread, type Replicates, spreadOf } from './bootstrap/replicates.ts';
import { type ChainFindings, chainDiagnostics } from './chain-findings.ts';
import {
  type ConvergenceEstimate,
  convergenceStepOf,
  estimatesByOrder,
  estimatesByWave,
} from './convergence.ts';
import { randomStream } from './draws/random.ts';
import { differentialActivity, populationHomophily, recruitmentHomophily } from './homophily.ts';
import {
  type CategoryOutcome,
  levelCountsOf,
  type NumberOutcome,
  type OutcomeAnswers,
  quantileGroupsOf,
  rowsWithKnownAnswer,
} from './outcome.ts';
import { type NoEquilibriumReason, rds1Of, rds1Weights } from './rds1.ts';
import { imputedNetworkSizes, recruitmentTree, type Sample, type SampleTree } from './sample/sample.ts';
import type { SitePopulations } from './standardized.ts';
import { ssWeights } from './successive-sampling.ts';
import { equalWeights, outcomeVarianceOf, rds2Weights, weightedEstimateOf } from './weights.ts';

export type ReplicateMethod = 'chain' | 'salganik' | 'gile' | 'tree';
export type Estimator = 'rds1' | 'rds2' | 'ss' | 'mean';

export interface AnalysisSettings {
  /** At least the number of respondents. If null, there is no SS estimate. */
  population: number | null;
  randomSeed: number;
  /** Runs the bootstrap with this many replicates; null for no bootstrap. */
  method: ReplicateMethod | null;
  samples: number;
  confidence: number;
  /** Which estimates to return. */
  estimator: Estimator | 'all';
  /** For CHAIN; null if there are no sites. */
  sites?: SitePopulations | null;
}

type ByLevel<T> = Record<string, T>;
type Figures = ByLevel<number | null> | null;

/** The results for one outcome. Figures are keyed by level, or by `mean` for a number. Null means no figure. */
export interface OutcomeResult {
  type: 'category' | 'number';
  known: number;
  missing: number;
  naive?: Figures;
  rdsI?: Figures;
  /** Why there is no RDS-I estimate. */
  rdsIReason?: NoEquilibriumReason;
  rdsII?: Figures;
  ss?: Figures;
  bootstrap?: ByLevel<ByLevel<ByLevel<ReplicateSpread | null> | null>>;
  /**
   * The findings that decide whether CHAIN's or TREE's interval is shown first, and the estimates standardized by site.
   */
  chain?: ChainFindings;
  levels?: readonly string[];
  counts?: ByLevel<number>;
  transitions?: ByLevel<ByLevel<number>>;
  transitionProbabilities?: ByLevel<ByLevel<number>>;
  stationary?: Figures;
  harmonicMeanDegree?: ByLevel<number>;
  weights?: { rdsI: number[] | null };
  recruitmentHomophily?: number | null;
  populationHomophily?: ByLevel<Figures>;
  differentialActivity?: ByLevel<Figures>;
  cumulativeByWave?: ByLevel<number | null>[];
  cumulativeByOrder?: ByLevel<number | null>[];
  /** For a number: the lowest value of each group that RDS-I uses. */
  groupsFrom?: number[];
}

export interface AnalysisResults {
  dataset: string;
  n: number;
  N: number | null;
  seeds: number;
  maxWave: number;
  /** Number of respondents in wave 0, 1, ... */
  byWave: number[];
  /** Number of recruits -> number of respondents with that many. */
  recruitsPerPerson: Record<string, number>;
  /** Seed id -> number of respondents in its chain, including the seed. */
  treeSizes: Record<string, number>;
  weights: { rdsII: number[]; ss: number[] | null };
  outcomes: Record<string, OutcomeResult>;
}

/** Values that depend only on the sample, not on the request. */
interface SampleBasis {
  sample: Sample;
  tree: SampleTree;
  sizes: Float64Array;
  rds2: Float64Array;
  ss: Float64Array | null;
}

export function analyseSample(
  dataset: string,
  sample: Sample,
  outcomes: Record<string, OutcomeAnswers>,
  question: AnalysisSettings,
): AnalysisResults {
  const tree = recruitmentTree(sample.recruiters);
  const sizes = imputedNetworkSizes(sample.reportedSizes);
  const { population, randomSeed } = question;
  const ss = population === null ? null : ssWeights(sizes, population, randomStream(randomSeed, 'ss'));
  const ground: SampleBasis = { sample, tree, sizes, rds2: rds2Weights(sizes), ss };
  const recruits = sample.ids.map((_, i) => tree.firstRecruit[i + 1]! - tree.firstRecruit[i]!);
  const waves = tally(tree.waves);
  return {
    dataset,
    n: sample.ids.length,
    N: population,
    seeds: tree.seeds.length,
    maxWave: waves.length - 1,
    byWave: waves.map(([, count]) => count),
    recruitsPerPerson: Object.fromEntries(tally(recruits)),
    treeSizes: Object.fromEntries(tally(tree.seedOf).map(([seed, count]) => [sample.ids[seed], count])),
    weights: { rdsII: [...ground.rds2], ss: ss && [...ss] },
    outcomes: Object.fromEntries(
      Object.entries(outcomes).map(([name, outcome]) => {
        const result =
          outcome.kind === 'CATEGORY' ? categoryResult(ground, outcome) : numberResult(ground, outcome);
        return [name, { ...onlyRequested(result, question), ...bootstraps(ground, outcome, question) }];
      }),
    ),
  };
}

const ESTIMATES = { mean: 'naive', rds1: 'rdsI', rds2: 'rdsII', ss: 'ss' } as const;

/** Keeps only the requested estimate. */
function onlyRequested(result: OutcomeResult, { estimator }: AnalysisSettings): OutcomeResult {
  if (estimator === 'all') return result;
  const copy = { ...result };
  for (const [name, key] of Object.entries(ESTIMATES)) if (name !== estimator) delete copy[key];
  return copy;
}

/** Each value and how often it occurs, in ascending order. */
function tally(values: Iterable<number>): [number, number][] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

const byLevelName = <T>(levels: readonly string[], values: ArrayLike<T>): ByLevel<T> =>
  Object.fromEntries(levels.map((level, at) => [level, values[at]!]));
const figuresOf = (levels: readonly string[], values: ArrayLike<number | null> | null): Figures =>
  values && byLevelName(levels, values);

const knownOf = (outcome: OutcomeAnswers, sample: Sample) => {
  const answerCount = rowsWithKnownAnswer(outcome).length;
  return { known: answerCount, missing: sample.ids.length - answerCount };
};

function chainOf({ sample, sizes }: SampleBasis, category: CategoryOutcome) {
  const chain = rds1Of(category, sample.recruiters, sizes);
  return { ...chain, weights: chain.shares && rds1Weights(category, chain.shares) };
}

function categoryResult(ground: SampleBasis, category: CategoryOutcome): OutcomeResult {
  const { sample, tree, sizes, rds2, ss } = ground;
  const { levels } = category;
  const chain = chainOf(ground, category);
  const { counts, shares } = chain.transitions;
  const square = (rows: number[][]) =>
    byLevelName(
      levels,
      rows.map((row) => byLevelName(levels, row)),
    );
  const byWeights = (figure: (weights: Float64Array) => (number | null)[]) => ({
    rdsII: figuresOf(levels, figure(rds2)),
    rdsI: figuresOf(levels, chain.weights && figure(chain.weights)),
    ss: figuresOf(levels, ss && figure(ss)),
  });
  const standing = ({ known: answerCount, figures }: ConvergenceEstimate) => ({
    ...byLevelName(levels, figures ?? levels.map(() => null)),
    n: answerCount,
  });
  return {
    type: 'category',
    ...knownOf(category, sample),
    levels,
    counts: byLevelName(levels, levelCountsOf(category)),
    naive: figuresOf(levels, weightedEstimateOf(category, equalWeights(sizes.length))),
    transitions: square(counts),
    transitionProbabilities: square(shares),
    stationary: figuresOf(levels, chain.stationary),
    harmonicMeanDegree: byLevelName(levels, chain.harmonicSizes),
    rdsI: figuresOf(levels, chain.shares),
    ...(chain.reason ? { rdsIReason: chain.reason } : {}),
    rdsII: figuresOf(levels, weightedEstimateOf(category, rds2)),
    ss: figuresOf(levels, ss && weightedEstimateOf(category, ss)),
    weights: { rdsI: chain.weights && [...chain.weights] },
    recruitmentHomophily: recruitmentHomophily(counts),
    populationHomophily: byWeights((weights) => populationHomophily(category, tree, weights, sizes)),
    differentialActivity: byWeights((weights) => differentialActivity(category, weights, sizes)),
    cumulativeByWave: estimatesByWave(category, sample, tree).map(standing),
    cumulativeByOrder: estimatesByOrder(category, sample, convergenceStepOf(sample.ids.length)).map(standing),
  };
}

function numberResult(ground: SampleBasis, quantity: NumberOutcome): OutcomeResult {
  const { sample, sizes, rds2, ss } = ground;
  const { category, from } = quantileGroupsOf(quantity);
  const weights = chainOf(ground, category).weights;
  const mean = (by: Float64Array | null) => ({ mean: (by && weightedEstimateOf(quantity, by)?.[0]) ?? null });
  return {
    type: 'number',
    ...knownOf(quantity, sample),
    groupsFrom: from,
    naive: mean(equalWeights(sizes.length)),
    rdsI: mean(weights),
    rdsII: mean(rds2),
    ss: mean(ss),
  };
}

function bootstraps(
  ground: SampleBasis,
  outcome: OutcomeAnswers,
  question: AnalysisSettings,
): Pick<OutcomeResult, 'bootstrap' | 'chain'> {
  const { method, samples, randomSeed: seed, population, confidence, sites = null } = question;
  const { sample, tree, sizes, rds2, ss } = ground;
  const answerCount = rowsWithKnownAnswer(outcome).length;
  if (!method || answerCount === 0) return {};
  const isShare = outcome.kind === 'CATEGORY';
  const names = isShare ? outcome.levels : ['mean'];
  const spreads = (
    figures: number[] | null,
    replicates: Pick<Replicates, 'figures'>,
    { correction = 1, percentiles = true, scale = 1 } = {},
  ) =>
    byLevelName(
      names,
      names.map((_, at) => {
        const values = replicates.figures[at] ?? new Float64Array(0);
        const figure = figures?.[at];
        if (figure === undefined) return null;
        const variance = outcomeVarianceOf(outcome, figure, rds2);
        const of = {
          figure,
          variance,
          known: answerCount,
          correction,
          confidence,
          percentiles,
          scale,
          isShare,
        };
        return spreadOf(values, of);
      }),
    );
  const run = { samples, seed };
  const treeSpreads = () => {
    const [treeReplicates] = treeBootstrap(tree, [outcome], sizes, run);
    return { rdsII: spreads(weightedEstimateOf(outcome, rds2), treeReplicates!) };
  };
  if (method === 'tree') return { bootstrap: { tree: treeSpreads() } };
  const correction =
    population !== null && population > 1 ? (population - answerCount) / (population - 1) : 1;
  if (method === 'chain') {
    const byWeights = (weights: Float64Array) =>
      chainBootstrap({ recruiters: sample.recruiters, tree, weights, sites }, [outcome], run)[0]!;
    const { figures } = byWeights(rds2);
    const estimates = weightedEstimateOf(outcome, rds2);
    const plain = chainMethodVariants(sites).indexOf('PLAIN') * names.length;
    // CHAIN samples with replacement, as if the population were infinite.
    const bySs = { correction, percentiles: false, scale: Math.sqrt(correction) };
    const chain = {
      ...(ss && { ss: spreads(weightedEstimateOf(outcome, ss), byWeights(ss), bySs) }),
      ...(plain >= 0 && { rdsIIWithoutSites: spreads(estimates, { figures: figures.slice(plain) }) }),
      rdsII: spreads(estimates, { figures }),
    };
    const findings = chainDiagnostics({ tree, sites, names, outcome, weights: rds2, figures, confidence });
    return { bootstrap: { chain, tree: treeSpreads() }, chain: findings };
  }
  // The other two methods model moves between levels, which a number does not have.
  if (!isShare) return {};
  if (method === 'salganik') {
    const salganikReplicates = salganikBootstrap(outcome, sample.recruiters, sizes, run);
    const symmetric = { percentiles: false };
    const rdsI = spreads(chainOf(ground, outcome).shares, salganikReplicates.RDS_I, symmetric);
    const rdsII = spreads(weightedEstimateOf(outcome, rds2), salganikReplicates.RDS_II, symmetric);
    return { bootstrap: { salganik: { rdsI, rdsII } } };
  }
  if (population === null || !ss) return {};
  const gileReplicates = gileBootstrap(outcome, sample.recruiters, tree, sizes, population, run);
  const ofGile = { correction, percentiles: false };
  return { bootstrap: { gile: { ss: spreads(weightedEstimateOf(outcome, ss), gileReplicates, ofGile) } } };
}
