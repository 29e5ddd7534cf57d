/**
 * The simulation study in docs/statistics.md: draws many samples from known populations, and measures the estimators'
 * errors, how often intervals contain the true value, and how often each warning shows.
 */
import { reasonToShowTreeInterval } from '../../src/statistics/estimators/first-interval.ts';
import {
  type BootstrapSettings,
  intervalsOf,
  type LevelInterval,
  replicatesOf,
} from '../../src/statistics/estimators/intervals.ts';
import { estimateOutcome } from '../../src/statistics/results/estimate.ts';
import {
  ESTIMATE_WARNING_CODES,
  type EstimateWarningCode,
} from '../../src/statistics/results/warning-codes.ts';
import { estimateWarningsOf } from '../../src/statistics/results/warnings/warnings.ts';
import { type Person, truthOf } from '../simulate/population.ts';
import { type Random, randomFrom } from '../simulate/random.ts';
import { type Design, INTERVIEWS, observe, populationOf } from './designs.ts';
import { type Recruited, recruit } from './recruitment.ts';

export const ESTIMATES = { mean: 'naive', rds1: 'RDS-I', rds2: 'RDS-II', ss: 'SS' } as const;
type Estimate = keyof typeof ESTIMATES;

/** `rule`: the one of CHAIN and TREE that comes first. */
export const INTERVALS = {
  chain: 'CHAIN',
  tree: 'TREE',
  rule: 'the rule',
  gile: 'Gile, SS',
  salganik: 'Salganik',
  chainSs: 'CHAIN, SS',
  standardised: 'standardized',
} as const;
type IntervalName = keyof typeof INTERVALS;

/** Shares of 1. */
export interface Findings {
  design: Design;
  truth: { share: number; homophily: number; meanSize: number; meanSizeOfGroup: number };
  waves: number;
  /** By size: see `numberOfChains`. */
  chains: number;
  samples: number;
  /** Mean of estimate - truth, and the standard deviation of the estimate from sample to sample. */
  estimates: Record<Estimate, { bias: number; deviation: number; without: number }>;
  /** `covers`: share of the intervals that hold the truth; `width`: their mean. */
  intervals: Record<IntervalName, { covers: number; width: number; without: number }>;
  /** In how many samples TREE came first. */
  treeFirst: number;
  /** How many of the samples showed each. */
  warnings: Record<EstimateWarningCode, number>;
}

export interface StudySize {
  samples: number;
  /** Of each bootstrap. */
  replicates: number;
  randomSeed: number;
}

/** `step` is called after each sample; `network` are the people where the design does not make them. */
export function studyOf(
  design: Design,
  extent: StudySize,
  step: () => void = () => {},
  network: readonly Person[] | null = null,
): Findings {
  const random = randomFrom(`${extent.randomSeed}/${design.name}`);
  const all = network ?? populationOf(design, random);
  const tally = new Tally(design, trueOf(all), extent.replicates);
  for (let at = 0; at < extent.samples; at++) {
    const own = random.fork(`sample ${at}`);
    tally.add(recruit(all, { ...design, interviews: INTERVIEWS }, own), own, at);
    step();
  }
  return tally.end();
}

function trueOf(people: readonly Person[]): Findings['truth'] {
  const { degree, traits } = truthOf(people);
  const group = traits.find(({ answer }) => answer === 'spanish');
  if (!group) throw new Error('The population has no such group.');
  return {
    share: group.share,
    homophily: 1 / (1 - group.homophily),
    meanSize: degree.mean,
    meanSizeOfGroup: group.meanDegree,
  };
}

const seriesOf = <Name extends string>(names: Record<Name, unknown>) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, new Series()])) as Record<Name, Series>;

/** What was found in each sample so far. */
class Tally {
  private readonly design: Design;
  private readonly truth: Findings['truth'];
  private readonly replicates: number;
  private readonly waves = new Series();
  private readonly chains = new Series();
  private readonly estimates = seriesOf(ESTIMATES);
  private readonly hits = seriesOf(INTERVALS);
  private readonly widths = seriesOf(INTERVALS);
  private treeFirst = 0;
  private readonly warnings = Object.fromEntries(
    ESTIMATE_WARNING_CODES.map((code) => [code, 0]),
  ) as Findings['warnings'];

  constructor(design: Design, truth: Findings['truth'], replicates: number) {
    this.design = design;
    this.truth = truth;
    this.replicates = replicates;
  }

  add(recruited: Recruited, random: Random, seed: number): void {
    const { design } = this;
    const people = recruited.recruits;
    const { outcome, sample, sites, ground, inside } = observe(design, recruited, random);
    const intervals = (of: Pick<BootstrapSettings, 'method' | 'estimator'>): LevelInterval[] => {
      const bootstrap = { ...of, population: design.people, confidence: 0.95, seed };
      const [replicates] = replicatesOf(ground, [outcome], bootstrap, { samples: this.replicates, seed });
      return replicates ? intervalsOf(ground, outcome, bootstrap, replicates) : [];
    };
    const isLarge = INTERVIEWS > 0.2 * design.people;
    const chain = intervals({ method: 'CHAIN', estimator: 'RDS_II' });
    const tree = intervals({ method: 'TREE', estimator: 'RDS_II' });
    const isTreeFirst = reasonToShowTreeInterval(chain.flatMap(({ reasons }) => reasons ?? [])) !== null;
    const first = isTreeFirst ? tree : chain;
    this.interval('chain', chain[inside]);
    this.interval('tree', tree[inside]);
    this.interval('rule', first[inside]);
    this.interval('gile', intervals({ method: 'GILE', estimator: 'SS' })[inside]);
    this.interval('salganik', intervals({ method: 'SALGANIK', estimator: 'RDS_II' })[inside]);
    if (isLarge) this.interval('chainSs', intervals({ method: 'CHAIN', estimator: 'SS' })[inside]);
    if (sites) this.interval('standardised', chain[inside]?.standardised);
    this.treeFirst += Number(isTreeFirst);
    const estimates = estimateOutcome({
      sample,
      times: Float64Array.from(sample.order),
      outcome,
      population: { size: design.people, low: null, high: null },
      randomSeed: seed,
      sites,
    });
    for (const name of Object.keys(ESTIMATES) as Estimate[])
      this.estimates[name].add(estimates.figures[name]?.[inside]);
    this.waves.add(estimates.waves);
    this.chains.add(estimates.numberOfChains);
    const warnings = estimateWarningsOf({
      estimate: estimates,
      n: people.length,
      askedCount: people.length,
      sizesMissing: 0,
      population: design.people,
      isShare: true,
      strangers: null,
      shown: outcome.levels.map(() => true),
      intervals: first,
      chain,
    });
    for (const code of new Set(warnings.map((one) => one.code))) this.warnings[code]++;
  }

  private interval(name: IntervalName, of: Pick<LevelInterval, 'low' | 'high'> | null | undefined): void {
    const { low = null, high = null } = of ?? {};
    if (low === null || high === null) return;
    this.hits[name].add(low <= this.truth.share && this.truth.share <= high ? 1 : 0);
    this.widths[name].add(high - low);
  }

  end(): Findings {
    const { design, truth, treeFirst, warnings } = this;
    const samples = this.waves.count;
    const estimates = Object.entries<Series>(this.estimates).map(([name, figures]) => {
      const bias = figures.mean() - truth.share;
      return [name, { bias, deviation: figures.deviation(), without: samples - figures.count }];
    });
    const intervals = Object.entries<Series>(this.hits).map(([name, hits]) => [
      name,
      {
        covers: hits.mean(),
        width: this.widths[name as IntervalName].mean(),
        without: samples - hits.count,
      },
    ]);
    return {
      ...{ design, truth, samples, treeFirst, warnings },
      waves: this.waves.mean(),
      chains: this.chains.mean(),
      estimates: Object.fromEntries(estimates) as Findings['estimates'],
      intervals: Object.fromEntries(intervals) as Findings['intervals'],
    };
  }
}

/** Mean and standard deviation of what was given; nothing given is left out. */
class Series {
  private readonly values: number[] = [];

  add(value: number | null | undefined): void {
    if (typeof value === 'number') this.values.push(value);
  }

  get count(): number {
    return this.values.length;
  }

  mean(): number {
    return this.values.reduce((sum, value) => sum + value, 0) / this.values.length;
  }

  deviation(): number {
    const mean = this.mean();
    const squares = this.values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return Math.sqrt(squares / (this.values.length - 1));
  }
}
