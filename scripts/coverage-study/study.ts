/**
 * The simulation study in docs/statistics.md: draws many samples from known populations, and measures the estimators'
 * errors and how often intervals contain the true value.
 */
import { type Category, categoryOf } from '../../src/statistics/estimators/outcome.ts';
import { analyse, type Method } from '../../src/statistics/estimators/results.ts';
import { makePopulation, type Person, truthOf } from '../simulate/population.ts';
import { type Random, randomFrom } from '../simulate/random.ts';
import { makeNeighbourhoods, type Neighbourhoods } from './neighbourhoods.ts';
import { type Recruited, recruit } from './recruitment.ts';

export interface Design {
  name: string;
  people: number;
  /** The share of ties made within the own group on purpose. */
  homophily: number;
  seeds: number;
  /** In parts that differ in their share of the group; else all mix. */
  neighbourhoods?: Neighbourhoods;
}

export const INTERVIEWS = 500;
/** The share of the population that is of the group, and how many a person knows (median). */
const PREVALENCE = 0.3;
const DEGREE = 10;

const [LOW, HIGH] = [0.1, 0.6];
const [FEW, MANY] = [6, 20];
const SHARES = { 'small share': 20 * INTERVIEWS, 'large share': 2 * INTERVIEWS };

/** Low and high homophily, few and many seeds, a small and a large share of the population, in all ways. */
const MIXED_DESIGNS: Design[] = Object.entries(SHARES).flatMap(([share, people]) =>
  [LOW, HIGH].flatMap((homophily) =>
    [FEW, MANY].map((seeds) => ({
      name: `${homophily === LOW ? 'low' : 'high'} homophily, ${seeds} seeds, ${share}`,
      people,
      homophily,
      seeds,
    })),
  ),
);

/** Chains stay where they began, and with few seeds it is chance how much of each neighbourhood is met. */
const SEPARATED_DESIGNS: Design[] = [
  {
    name: 'two parts apart, 4 seeds',
    people: SHARES['small share'],
    homophily: LOW,
    seeds: 4,
    neighbourhoods: { prevalences: [0.1, 0.5], crossing: 0.03 },
  },
  {
    name: 'four parts apart, 6 seeds',
    people: SHARES['small share'],
    homophily: LOW,
    seeds: FEW,
    neighbourhoods: { prevalences: [0.1, 0.2, 0.4, 0.5], crossing: 0.05 },
  },
];

export const DESIGNS: Design[] = [...MIXED_DESIGNS, ...SEPARATED_DESIGNS];

export const ESTIMATES = { naive: 'naive', rdsI: 'RDS-I', rdsII: 'RDS-II', ss: 'SS' } as const;
type Estimate = keyof typeof ESTIMATES;

interface Interval {
  name: string;
  method: Method;
  estimate: Estimate;
}

export const INTERVALS: Interval[] = [
  { name: 'tree, RDS-II', method: 'tree', estimate: 'rdsII' },
  { name: 'Gile, SS', method: 'gile', estimate: 'ss' },
  { name: 'Salganik, RDS-II', method: 'salganik', estimate: 'rdsII' },
  { name: 'Salganik, RDS-I', method: 'salganik', estimate: 'rdsI' },
];

/** Shares of 1. */
export interface Findings {
  design: Design;
  truth: { share: number; homophily: number; meanSize: number; meanSizeOfGroup: number };
  waves: number;
  samples: number;
  /** Mean of estimate - truth, and the standard deviation of the estimate from sample to sample. */
  estimates: Record<Estimate, { bias: number; deviation: number; without: number }>;
  /** `covers`: share of the intervals that hold the truth; `width`: their mean. */
  intervals: { name: string; covers: number; width: number; without: number }[];
}

export interface StudySize {
  samples: number;
  /** Of each bootstrap. */
  replicates: number;
  randomSeed: number;
}

const INSIDE = 'in';

/** `step` is called after each sample. */
export function studyOf(design: Design, extent: StudySize, step: () => void = () => {}): Findings {
  const random = randomFrom(`${extent.randomSeed}/${design.name}`);
  const { people, seeds } = design;
  const all = populationOf(design, random);
  const truth = trueOf(all);
  const tally = new Tally(truth.share);
  for (let at = 0; at < extent.samples; at++) {
    const recruited = recruit(all, { seeds, interviews: INTERVIEWS }, random.fork(`sample ${at}`));
    tally.add(recruited, people, extent.replicates, at);
    step();
  }
  return { design, truth, ...tally.end() };
}

export function populationOf({ people, homophily, neighbourhoods }: Design, random: Random): Person[] {
  const shape = { size: people, degree: DEGREE, homophily };
  const own = random.fork('people');
  return neighbourhoods
    ? makeNeighbourhoods(neighbourhoods, shape, own)
    : makePopulation({ ...shape, prevalence: PREVALENCE }, own);
}

export const groupOf = (people: readonly Person[]): Category =>
  categoryOf(people.map((person) => (person.spanish ? INSIDE : 'out')));

function trueOf(people: Person[]): Findings['truth'] {
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

/** What was found in each sample so far. */
class Tally {
  private readonly share: number;
  private readonly waves = new Series();
  private readonly estimates = Object.keys(ESTIMATES).map((key) => ({
    key: key as Estimate,
    figures: new Series(),
  }));
  private readonly intervals = INTERVALS.map((of) => ({ of, hits: new Series(), widths: new Series() }));

  constructor(share: number) {
    this.share = share;
  }

  add({ sample, recruits }: Recruited, people: number, replicates: number, randomSeed: number): void {
    const group = groupOf(recruits);
    const ask = (method: Method) =>
      analyse(
        '',
        sample,
        { group },
        {
          method,
          // The others need no population, and SS takes its time.
          population: method === 'gile' ? people : null,
          randomSeed,
          samples: replicates,
          confidence: 0.95,
          estimator: 'all',
        },
      );
    const results = { gile: ask('gile'), tree: ask('tree'), salganik: ask('salganik') };
    this.waves.add(results.gile.maxWave);
    for (const { key, figures } of this.estimates) figures.add(results.gile.outcomes.group?.[key]?.[INSIDE]);
    for (const { of, hits, widths } of this.intervals) {
      const spreads = results[of.method].outcomes.group?.bootstrap?.[of.method]?.[of.estimate];
      const spread = spreads?.[INSIDE];
      hits.add(spread && (spread.low <= this.share && this.share <= spread.high ? 1 : 0));
      widths.add(spread && spread.high - spread.low);
    }
  }

  end(): Omit<Findings, 'design' | 'truth'> {
    const samples = this.waves.count;
    const estimates = this.estimates.map(({ key, figures }) => [
      key,
      {
        bias: figures.mean() - this.share,
        deviation: figures.deviation(),
        without: samples - figures.count,
      },
    ]);
    return {
      waves: this.waves.mean(),
      samples,
      estimates: Object.fromEntries(estimates) as Findings['estimates'],
      intervals: this.intervals.map(({ of, hits, widths }) => ({
        name: of.name,
        covers: hits.mean(),
        width: widths.mean(),
        without: samples - hits.count,
      })),
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
