/** Populations with known households: how often the intervals of a count's totals and cells contain the truth. */
import { runCountTablesJob } from '../../src/statistics/counts/tables/job.ts';
import type { CountTableAnswers } from '../../src/statistics/counts/tables/read-answers.ts';
import type { FigureWithBounds } from '../../src/statistics/estimators/households/totals.ts';
import { toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import { imputedNetworkSizes } from '../../src/statistics/estimators/sample/sample.ts';
import { intervalsFor } from '../sample-warnings.ts';
import type { Person } from '../simulate/population.ts';
import { type Random, randomFrom } from '../simulate/random.ts';
import { type Design, INTERVIEWS, observe, populationOf } from './designs.ts';
import { recruit } from './recruitment.ts';
import type { StudySize } from './study.ts';

export const TABLE_INTERVALS = { chain: 'CHAIN', tree: 'TREE', rule: 'the rule' } as const;
type IntervalName = keyof typeof TABLE_INTERVALS;

const nth = <T>(list: { readonly [at: number]: T }, at: number): T => list[at] as T;

interface Household {
  adults: number;
  children: number;
  under6: number;
}

export interface HouseholdFindings {
  design: Design;
  samples: number;
  figures: {
    name: string;
    truth: number;
    /** Mean of the estimates. */
    mean: number;
    /** `covers`: share of the intervals that hold the truth; `width`: their median, relative to the truth. */
    intervals: Record<IntervalName, { covers: number; width: number }>;
  }[];
  /** In how many samples TREE came first. */
  treeFirst: number;
  /** What children would be if each of two parents brought them whole, relative to the truth. */
  undividedChildren: number;
}

export function householdStudyOf(
  design: Design,
  extent: StudySize,
  step: () => void = () => {},
): HouseholdFindings {
  const random = randomFrom(`${extent.randomSeed}/${design.name}/households`);
  const people = populationOf(design, random);
  const homes = settle(people, random.fork('homes'));
  const sheltered = people.filter((person) => person.sheltered).length;
  const truths = truthsOf(people, homes);
  const tallies = truths.map(({ truth }) => new Tally(truth));
  let [undivided, treeFirst] = [0, 0];
  for (let at = 0; at < extent.samples; at++) {
    const own = random.fork(`sample ${at}`);
    const seed = extent.randomSeed + at;
    const counted = countedIn({ design, people, homes, sheltered }, own, seed, extent);
    for (const [place, tally] of tallies.entries())
      tally.add({ chain: nth(counted.chain, place), tree: nth(counted.tree, place) }, counted.isTreeFirst);
    treeFirst += Number(counted.isTreeFirst);
    undivided += counted.undividedChildren;
    step();
  }
  const children = people.reduce(
    (sum, { number }) => sum + nth(homes, number).children / nth(homes, number).adults,
    0,
  );
  const { samples } = extent;
  return {
    ...{ design, samples, treeFirst },
    figures: truths.map(({ name }, place) => ({ name, ...nth(tallies, place).end(samples) })),
    undividedChildren: undivided / samples / children,
  };
}

/** What was found of one figure in each sample so far. */
class Tally {
  readonly #truth: number;
  #sum = 0;
  readonly #intervals = {
    chain: { covers: 0, widths: [] as number[] },
    tree: { covers: 0, widths: [] as number[] },
    rule: { covers: 0, widths: [] as number[] },
  };

  constructor(truth: number) {
    this.#truth = truth;
  }

  add({ chain, tree }: Record<'chain' | 'tree', FigureWithBounds>, isTreeFirst: boolean): void {
    this.#sum += chain.estimate ?? Number.NaN;
    for (const [name, { low, high }] of Object.entries({ chain, tree, rule: isTreeFirst ? tree : chain })) {
      const [from, to] = [low ?? 0, high ?? Number.POSITIVE_INFINITY];
      const one = this.#intervals[name as IntervalName];
      one.covers += Number(from <= this.#truth && this.#truth <= to);
      one.widths.push((to - from) / this.#truth);
    }
  }

  end(samples: number): Omit<HouseholdFindings['figures'][number], 'name'> {
    const of = (name: IntervalName) => {
      const { covers, widths } = this.#intervals[name];
      return { covers: covers / samples, width: medianOf(widths) };
    };
    return {
      ...{ truth: this.#truth, mean: this.#sum / samples },
      intervals: { chain: of('chain'), tree: of('tree'), rule: of('rule') },
    };
  }
}

interface Populace {
  design: Design;
  people: readonly Person[];
  homes: readonly Household[];
  /** How many slept in a shelter, the answer that is counted elsewhere. */
  sheltered: number;
}

/** The figures of one sample. As in the service, TREE comes first where it does for the answer that was counted. */
function countedIn(
  { design, people, homes, sheltered }: Populace,
  random: Random,
  seed: number,
  { replicates: samples }: StudySize,
) {
  const recruited = recruit(people, { ...design, interviews: INTERVIEWS }, random);
  const { sample, sites } = observe(design, recruited, random);
  const { recruits } = recruited;
  const confidence = 0.95;
  const counting = {
    ...{ recruiters: sample.recruiters, reportedSizes: sample.reportedSizes, sites: sites?.codes ?? null },
    multiplier: {
      has: Int8Array.from(recruits, (person) => Number(person.sheltered)),
      ...{ known: sheltered, knownLow: null, knownHigh: null },
    },
    answers: answersOf(recruits, homes),
    ...{ samples, confidence, seed },
  };
  const answer = toCategoryOutcome(recruits.map((person) => (person.sheltered ? 'yes' : 'no')));
  const settings = { population: design.people, randomSeed: seed, samples, confidence, sites };
  return {
    chain: figuresOf({ ...counting, method: 'CHAIN' }),
    tree: figuresOf({ ...counting, method: 'TREE' }),
    isTreeFirst: intervalsFor(sample, answer, settings).first === 'TREE',
    undividedChildren: undividedChildren(
      recruits,
      imputedNetworkSizes(sample.reportedSizes),
      homes,
      sheltered,
    ),
  };
}

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return (nth(sorted, Math.floor((sorted.length - 1) / 2)) + nth(sorted, Math.floor(sorted.length / 2))) / 2;
};

/** By the number of each person. A quarter live as couples, who know each other; some with children. */
function settle(people: Person[], random: Random): Household[] {
  const order = random.shuffle([...people]);
  const homes = new Array<Household>(people.length);
  for (let at = 0; at < order.length; ) {
    const isPair = at + 1 < order.length && random.chance(0.15);
    const children = random.chance(isPair ? 0.35 : 0.08) ? 1 + random.below(3) : 0;
    const home = { adults: isPair ? 2 : 1, children, under6: random.below(children + 1) };
    const [one, other] = [nth(order, at), order[at + 1]];
    homes[one.number] = home;
    if (isPair && other) {
      homes[other.number] = home;
      if (!one.neighbours.includes(other.number)) {
        one.neighbours.push(other.number);
        other.neighbours.push(one.number);
      }
    }
    at += home.adults;
  }
  return homes;
}

function truthsOf(people: readonly Person[], homes: readonly Household[]): { name: string; truth: number }[] {
  const sum = (of: (home: Household, person: Person) => number) =>
    people.reduce((all, person) => all + of(nth(homes, person.number), person), 0);
  return [
    { name: 'adults', truth: people.length },
    { name: 'persons', truth: Math.round(sum(({ adults, children }) => 1 + children / adults)) },
    { name: 'households', truth: Math.round(sum(({ adults }) => 1 / adults)) },
    { name: 'children under 6', truth: Math.round(sum(({ adults, under6 }) => under6 / adults)) },
    {
      name: 'children 6 to 17',
      truth: Math.round(sum(({ adults, children, under6 }) => (children - under6) / adults)),
    },
    { name: 'adults of the group', truth: sum((_, person) => Number(person.spanish)) },
    { name: 'veterans', truth: sum((_, person) => Number(person.veteran)) },
    {
      name: 'households with children',
      truth: Math.round(sum(({ adults, children }) => Number(children > 0) / adults)),
    },
    {
      name: 'persons in these',
      truth: Math.round(sum(({ adults, children }) => (Number(children > 0) * (adults + children)) / adults)),
    },
  ];
}

function answersOf(recruits: readonly Person[], homes: readonly Household[]): CountTableAnswers {
  const column = (of: (home: Household) => number) =>
    Float64Array.from(recruits, ({ number }) => of(nth(homes, number)));
  const met = new Set<Household>();
  const yesNo = ['no', 'yes'].map((key) => ({ key, title: null }));
  return {
    groupings: [
      // Two groupings of adults serve; what they are called does not matter here.
      { key: 'race', cells: yesNo, codes: Int32Array.from(recruits, ({ spanish }) => Number(spanish)) },
      { key: 'veteran', cells: yesNo, codes: Int32Array.from(recruits, ({ veteran }) => Number(veteran)) },
      { key: 'age', cells: [{ key: 'adult', title: null }], codes: new Int32Array(recruits.length) },
    ],
    notAsked: [],
    households: {
      adults: column(({ adults }) => adults),
      children: column(({ children }) => children),
      childrenUnder6: column(({ under6 }) => under6),
      isFirst: Uint8Array.from(recruits, ({ number }) => {
        const home = nth(homes, number);
        const isFirst = !met.has(home);
        met.add(home);
        return Number(isFirst);
      }),
    },
  };
}

function figuresOf(job: Parameters<typeof runCountTablesJob>[0]): FigureWithBounds[] {
  const { totals, tables } = runCountTablesJob(job);
  const cell = (key: string, total: string, name: string) =>
    tables
      .find((one) => one.key === key && one.total === total)
      ?.cells.find((one) => one.key === name) as FigureWithBounds;
  return [
    totals.ADULTS as FigureWithBounds,
    totals.PERSONS as FigureWithBounds,
    totals.HOUSEHOLDS as FigureWithBounds,
    cell('age', 'PERSONS', 'under6'),
    cell('age', 'PERSONS', '6to17'),
    cell('race', 'ADULTS', 'yes'),
    cell('veteran', 'ADULTS', 'yes'),
    cell('householdType', 'HOUSEHOLDS', 'withChildren'),
    cell('householdType', 'PERSONS', 'withChildren'),
  ];
}

function undividedChildren(
  people: readonly Person[],
  sizes: Float64Array,
  homes: readonly Household[],
  sheltered: number,
): number {
  let [children, having] = [0, 0];
  for (const [at, { number, sheltered }] of people.entries()) {
    children += nth(homes, number).children / nth(sizes, at);
    having += Number(sheltered) / nth(sizes, at);
  }
  return (sheltered * children) / having;
}
