/** The populations and samples of the simulation study in docs/statistics.md. */
import { bootstrapSampleOf } from '../../src/statistics/estimators/intervals.ts';
import { toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import { makePopulation, type Person } from '../simulate/population.ts';
import type { Random } from '../simulate/random.ts';
import { makeNeighborhoods, type Neighborhoods } from './neighbourhoods.ts';
import type { Recruited, Recruiting } from './recruitment.ts';

export interface Design {
  name: string;
  people: number;
  /** The share of the population that is of the group. */
  prevalence: number;
  /** The share of ties made within one's own group on purpose. */
  homophily: number;
  seeds: number;
  /** In parts that differ in their share of the group, which are then the sites; else all mix. */
  neighbourhoods?: Neighborhoods;
  recruiting?: Recruiting;
  /** Sizes are reported times a lognormal factor (sigma 0.6), and rounded to 5. */
  misreported?: boolean;
  /** The share of people whose site is recorded wrongly. */
  wrongSites?: number;
}

export const INTERVIEWS = 500;
const [PEOPLE, LARGE_SHARE] = [20 * INTERVIEWS, 2 * INTERVIEWS];
/** How many a person knows (median). */
const DEGREE = 10;
const MILD: Design = { name: 'mild homophily', people: PEOPLE, prevalence: 0.3, homophily: 0.1, seeds: 6 };
const STRONG: Design = { ...MILD, name: 'strong homophily', homophily: 0.6 };
const FOUR: Design = {
  ...MILD,
  name: 'four neighborhoods that hardly meet',
  neighbourhoods: { prevalences: [0.1, 0.2, 0.4, 0.5], crossing: 0.02 },
};
const TEN = [0.1, 0.15, 0.2, 0.25, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5];

export const DESIGNS: Design[] = [
  MILD,
  STRONG,
  {
    ...MILD,
    name: 'chains that live apart',
    neighbourhoods: { prevalences: [0.1, 0.5], crossing: 0.002 },
  },
  { ...MILD, name: 'two seeds', seeds: 2 },
  FOUR,
  { ...STRONG, name: 'strong, 20 seeds', seeds: 20 },
  { ...STRONG, name: 'strong, the group recruits twice as many', recruiting: { groupRecruitsMore: true } },
  { ...MILD, name: 'mild, sizes misreported', misreported: true },
  {
    ...FOUR,
    name: 'four neighborhoods that are alike',
    neighbourhoods: { prevalences: [0.3, 0.3, 0.3, 0.3], crossing: 0.02 },
  },
  { ...STRONG, name: 'strong, all seeds of the group', recruiting: { seedsOfGroup: true } },
  { ...MILD, name: 'mild, own group preferred', recruiting: { ownGroupPreferred: true } },
  { ...MILD, name: 'mild, half of the population', people: LARGE_SHARE },
  { ...MILD, name: 'mild, a rare trait', prevalence: 0.05 },
  { ...MILD, name: 'ten sites', neighbourhoods: { prevalences: TEN, crossing: 0.1 } },
  { ...FOUR, name: 'four neighborhoods, a fifth of sites wrong', wrongSites: 0.2 },
];

export function populationOf(
  { people, prevalence, homophily, neighbourhoods }: Design,
  random: Random,
): Person[] {
  const shape = { size: people, degree: DEGREE, homophily };
  const own = random.fork('people');
  return neighbourhoods
    ? makeNeighborhoods(neighbourhoods, shape, own)
    : makePopulation({ ...shape, prevalence }, own);
}

/** [n] the neighborhood of each, as it was recorded; null where all mix. */
function sitesOf(
  { neighbourhoods, people, wrongSites = 0 }: Design,
  recruits: readonly Person[],
  random: Random,
): Int32Array | null {
  if (!neighbourhoods) return null;
  const count = neighbourhoods.prevalences.length;
  return Int32Array.from(recruits, ({ number }) =>
    random.chance(wrongSites) ? random.below(count) : Math.floor(number / Math.floor(people / count)),
  );
}

/** [n] how many people each says to know. */
function reportedSizes({ misreported }: Design, sizes: Float64Array, random: Random): Float64Array {
  if (!misreported) return sizes;
  return sizes.map((size) => Math.max(1, 5 * Math.round((size * random.around(1, 0.6)) / 5)));
}

/** The level of who is of the group. */
const INSIDE = 'in';

/** What a study sees of a sample: network sizes as people report them, sites as they are recorded, who is of the group. */
export function observe(design: Design, { sample, recruits }: Recruited, random: Random) {
  const outcome = toCategoryOutcome(recruits.map(({ spanish }) => (spanish ? INSIDE : 'out')));
  const sizes = reportedSizes(design, sample.reportedSizes, random.fork('sizes'));
  const codes = sitesOf(design, recruits, random.fork('sites'));
  const people = design.neighbourhoods?.prevalences.map(() => ({ size: 1, low: 1, high: 1 })) ?? null;
  const sites = codes && { codes, people };
  return {
    ...{ outcome, sites, ground: bootstrapSampleOf(sample.recruiters, sizes, sites) },
    sample: { ...sample, reportedSizes: sizes },
    inside: outcome.levels.indexOf(INSIDE),
  };
}
