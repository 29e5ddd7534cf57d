/**
 * All estimates of one outcome that are available immediately, calculated from plain arrays in a separate thread
 * (estimate-worker.ts).
 */
import {
  type ChainEstimate,
  chainsOf,
  effectiveNumberOfChains,
  estimatesByChain,
} from '../estimators/chains.ts';
import {
  type ConvergenceEstimate,
  convergenceStepOf,
  estimatesByOrder,
  estimatesSoFar,
} from '../estimators/convergence.ts';
import { randomStream } from '../estimators/draws/random.ts';
import { differentialActivity, populationHomophily, recruitmentHomophily } from '../estimators/homophily.ts';
import {
  type CategoryOutcome,
  levelCountsOf,
  type OutcomeAnswers,
  outcomeVariablesOf,
  quantileGroupsOf,
  rowsHavingAnswer,
  rowsWithKnownAnswer,
} from '../estimators/outcome.ts';
import { type NoEquilibriumReason, type Rds1, rds1Of, rds1Weights } from '../estimators/rds1.ts';
import { CellSizeCounter, cellSizeOf } from '../estimators/sample/cell-size.ts';
import {
  imputedNetworkSizes,
  recruitmentTree,
  type Sample,
  type SampleTree,
} from '../estimators/sample/sample.ts';
import { type SitePopulations, standardizedEstimate } from '../estimators/standardized.ts';
import { ssWeights } from '../estimators/successive-sampling.ts';
import {
  equalWeights,
  outcomeVarianceOf,
  rds2Weights,
  trimmedSizes,
  weightedEstimateOf,
} from '../estimators/weights.ts';
import { type Histogram, histogramOf } from './histogram.ts';

const MAX_CHAINS = 20;

export interface PopulationSizeRange {
  size: number | null;
  low: number | null;
  high: number | null;
}

/** What is sent to the thread. */
export interface EstimateJob {
  sample: Omit<Sample, 'ids'>;
  /** [n] in milliseconds. */
  times: Float64Array;
  outcome: OutcomeAnswers;
  population: PopulationSizeRange;
  randomSeed: number;
  /** The site each person belongs to; null if the sample is a single site's. */
  sites: SitePopulations | null;
}

/** [levels], or one figure for a number; null if there is no estimate. */
type Figures = number[] | null;

export interface OutcomeEstimate {
  seeds: number;
  /** Not counting the seeds. */
  waves: number;
  known: number;
  /** [levels], or the number of known answers of a number. */
  counts: number[];
  /**
   * [levels] how many people are behind each figure; the `Beyond` ones cover the trees that are not in `bottleneck`.
   */
  sizes: number[];
  sizesBeyond: number[];
  apartBeyond: number[];
  chains: { people: number; waves: number }[];
  numberOfChains: number;
  /** [levels] */
  standardised: Figures;
  /** Per site, if any site's size is known. */
  bySite: { people: number; known: number; chains: number; figures: Figures }[];
  figures: Record<'mean' | 'rds1' | 'rds2' | 'trimmed' | 'ss' | 'ssLow' | 'ssHigh', Figures>;
  /** [levels] the RDS-II variance of a single answer. */
  variances: Figures;
  noRds1: NoEquilibriumReason | null;
  transitions: { counts: number[][]; stationary: number[] | null; harmonicSizes: number[] } | null;
  homophily: { recruitment: number | null; population: (number | null)[] } | null;
  differentialActivity: (number | null)[] | null;
  convergence: { n: number; at: number; sizes: number[]; rds1: Figures; rds2: Figures }[];
  bottleneck: ChainEstimate[];
  /** RDS-II without the last quarter of the interviews. */
  quarterAgo: ConvergenceEstimate;
  /** People per wave, seeds first. */
  byWave: number[];
  networkSizes: Histogram | null;
  /** The largest RDS-II weight of a single person. */
  largestWeight: number;
  /** Number of sizes above 10, and how many of those end in 0 or 5. */
  above10: number;
  heaped: number;
  /** Number of people who recruited more people than their reported network size. */
  sizeBelowRecruits: number;
}

export function estimateOutcome({
  times,
  outcome,
  population,
  randomSeed,
  sites,
  ...job
}: EstimateJob): OutcomeEstimate {
  const n = times.length;
  // Ids are not needed here.
  const sample: Sample = { ...job.sample, ids: new Array<string>(n) };
  const tree = recruitmentTree(sample.recruiters);
  const sizes = imputedNetworkSizes(sample.reportedSizes);
  const rds2 = rds2Weights(sizes);
  const chains = chainsOf(tree);
  const chain = chainOf(outcome, sample, sizes);
  const byRds2 = weightedEstimateOf(outcome, rds2);
  const ss = (size: number | null) => {
    const weights = size === null || n === 0 ? null : ssWeights(sizes, size, randomStream(randomSeed, 'ss'));
    return weights && weightedEstimateOf(outcome, weights);
  };
  const category = outcome.kind === 'CATEGORY' ? outcome : null;
  const answerCount = rowsWithKnownAnswer(outcome).length;
  const bottleneck = estimatesByChain(chains.slice(0, MAX_CHAINS), outcome, tree, rds2);
  return {
    seeds: tree.seeds.length,
    waves: tree.waves.reduce((max, wave) => Math.max(max, wave), 0),
    known: answerCount,
    counts: category ? [...levelCountsOf(category)] : [answerCount],
    ...sizesOf(outcome, tree, bottleneck),
    chains: chains.map(({ people, waves }) => ({ people, waves })),
    numberOfChains: effectiveNumberOfChains(chains),
    ...bySites(outcome, tree, rds2, sites),
    figures: {
      mean: weightedEstimateOf(outcome, equalWeights(n)),
      rds1: chain.figures,
      rds2: byRds2,
      trimmed: weightedEstimateOf(outcome, rds2Weights(trimmedSizes(sizes))),
      ss: ss(population.size),
      ssLow: ss(population.low),
      ssHigh: ss(population.high),
    },
    variances: byRds2?.map((figure) => outcomeVarianceOf(outcome, figure, rds2)) ?? null,
    noRds1: chain.reason,
    ...(category ? categoryFigures(category, chain, tree, rds2, sizes) : NUMBER_WITHOUT_GROUPS),
    convergence: convergenceOf(outcome, sample, times),
    bottleneck,
    quarterAgo: estimatesSoFar(outcome, sample, sample.order, [Math.floor(n * 0.75)])[0]!,
    byWave: byWaveOf(tree),
    networkSizes: histogramOf(sample.reportedSizes),
    largestWeight: rds2.reduce((max, weight) => Math.max(max, weight), 0),
    ...oddSizes(sample.reportedSizes, tree),
  };
}

function bySites(
  outcome: OutcomeAnswers,
  { seedOf }: SampleTree,
  weights: Float64Array,
  sites: SitePopulations | null,
): Pick<OutcomeEstimate, 'standardised' | 'bySite'> {
  if (!sites?.people) return { standardised: null, bySite: [] };
  const figures = outcomeVariablesOf(outcome).map((variable) =>
    standardizedEstimate(variable, weights, sites, rowsHavingAnswer(variable)),
  );
  const answeredRows = new Set(rowsWithKnownAnswer(outcome));
  const bySite = sites.people.map((_, site) => {
    const rows = [...sites.codes.keys()].filter((row) => sites.codes[row] === site);
    const answered = rows.filter((row) => answeredRows.has(row));
    const own = weights.map((weight, row) => (sites.codes[row] === site ? weight : 0));
    return {
      people: rows.length,
      known: answered.length,
      chains: new Set(answered.map((row) => seedOf[row])).size,
      figures: weightedEstimateOf(outcome, own),
    };
  });
  const isComplete = figures.length > 0 && !figures.includes(null);
  return { standardised: isComplete ? (figures as number[]) : null, bySite };
}

function byWaveOf({ waves }: SampleTree): number[] {
  const people: number[] = [];
  for (const wave of waves) people[wave] = (people[wave] ?? 0) + 1;
  return Array.from(people, (count) => count ?? 0);
}

const NUMBER_WITHOUT_GROUPS = { transitions: null, homophily: null, differentialActivity: null };

function categoryFigures(
  category: CategoryOutcome,
  { transitions: { counts }, stationary, harmonicSizes }: Rds1,
  tree: SampleTree,
  weights: Float64Array,
  sizes: Float64Array,
) {
  return {
    transitions: { counts, stationary, harmonicSizes },
    homophily: {
      recruitment: recruitmentHomophily(counts),
      population: populationHomophily(category, tree, weights, sizes),
    },
    differentialActivity: differentialActivity(category, weights, sizes),
  };
}

/** RDS-I. A number is split into groups, and each group's share is spread over its members as weights. */
function chainOf(
  outcome: OutcomeAnswers,
  { recruiters }: Sample,
  sizes: Float64Array,
): Rds1 & { figures: Figures } {
  const category = outcome.kind === 'CATEGORY' ? outcome : quantileGroupsOf(outcome).category;
  const chain = rds1Of(category, recruiters, sizes);
  const { shares } = chain;
  const isMean = shares !== null && outcome.kind === 'NUMBER';
  return { ...chain, figures: isMean ? weightedEstimateOf(outcome, rds1Weights(category, shares)) : shares };
}

function convergenceOf(
  outcome: OutcomeAnswers,
  sample: Sample,
  times: Float64Array,
): OutcomeEstimate['convergence'] {
  const n = sample.ids.length;
  const step = convergenceStepOf(n);
  const counted = peopleByStep(outcome, sample, step);
  return estimatesByOrder(outcome, sample, step).map(({ figures, rds1 }: ConvergenceEstimate, at) => {
    const end = Math.min(n, (at + 1) * step);
    return { n: end, at: times[sample.order[end - 1]!]!, sizes: counted[at]!, rds1, rds2: figures };
  });
}

/** How many people are behind each figure. */
function sizesOf(
  outcome: OutcomeAnswers,
  { seedOf }: SampleTree,
  bottleneck: readonly ChainEstimate[],
): Pick<OutcomeEstimate, 'sizes' | 'sizesBeyond' | 'apartBeyond'> {
  if (outcome.kind === 'CATEGORY') {
    const sizes = [...levelCountsOf(outcome)];
    const inTrees = (level: number) => bottleneck.reduce((sum, { counts }) => sum + counts[level]!, 0);
    const sizesBeyond = sizes.map((size, level) => size - inTrees(level));
    return { sizes, sizesBeyond, apartBeyond: sizesBeyond };
  }
  const seeds = new Set(bottleneck.map(({ seed }) => seed));
  const beyond = new CellSizeCounter();
  for (const [row, value] of outcome.values.entries()) if (!seeds.has(seedOf[row]!)) beyond.add(value);
  return {
    sizes: [cellSizeOf(outcome.values)],
    sizesBeyond: [beyond.size],
    apartBeyond: [beyond.apart],
  };
}

/** [steps][levels] how many people are behind each figure so far. */
function peopleByStep(outcome: OutcomeAnswers, { order }: Sample, step: number): number[][] {
  const counts = new Array<number>(outcome.kind === 'CATEGORY' ? outcome.levels.length : 0).fill(0);
  const cell = new CellSizeCounter();
  const countsByStep: number[][] = [];
  for (let at = 0; at < order.length; at++) {
    const row = order[at]!;
    if (outcome.kind === 'NUMBER') cell.add(outcome.values[row]!);
    else if (outcome.codes[row]! >= 0) counts[outcome.codes[row]!]!++;
    if ((at + 1) % step !== 0 && at + 1 !== order.length) continue;
    countsByStep.push(outcome.kind === 'NUMBER' ? [cell.size] : [...counts]);
  }
  return countsByStep;
}

function oddSizes(reported: Float64Array, { firstRecruit }: SampleTree) {
  let above10 = 0;
  let heaped = 0;
  let sizeBelowRecruits = 0;
  for (let i = 0; i < reported.length; i++) {
    const size = reported[i]!;
    if (size > 10) above10++;
    if (size > 10 && size % 5 === 0) heaped++;
    if (size < firstRecruit[i + 1]! - firstRecruit[i]!) sizeBelowRecruits++;
  }
  return { above10, heaped, sizeBelowRecruits };
}
