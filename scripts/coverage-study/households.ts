/** Populations with known households: how often the intervals of a count's totals and cells contain the truth. */
import { populationOf as tablesOf } from '../../src/statistics/counts/tables/population.ts';
import type { CountAnswers } from '../../src/statistics/counts/tables/read-answers.ts';
import { chainPools } from '../../src/statistics/estimators/bootstrap/bootstrap-chain.ts';
import { treeReplicate } from '../../src/statistics/estimators/bootstrap/bootstrap-tree.ts';
import {
  countPopulation,
  type Draw,
  type Figure,
  timesAlongChains,
} from '../../src/statistics/estimators/households/totals.ts';
import { replacedSizes, treeOf } from '../../src/statistics/estimators/sample/sample.ts';
import type { Person } from '../simulate/population.ts';
import { type Random, randomFrom } from '../simulate/random.ts';
import { type Design, INTERVIEWS, populationOf } from './designs.ts';
import { type Recruited, recruit } from './recruitment.ts';
import type { StudySize } from './study.ts';

/** Mixing chains with few and many seeds, and chains apart. */
export const HOUSEHOLD_DESIGNS: Design[] = [
  { name: 'low homophily, 6 seeds, small share', homophily: 0.1, seeds: 6 },
  { name: 'high homophily, 20 seeds, small share', homophily: 0.6, seeds: 20 },
  {
    ...{ name: 'four parts apart, 6 seeds', homophily: 0.1, seeds: 6 },
    neighbourhoods: { prevalences: [0.1, 0.2, 0.4, 0.5], crossing: 0.05 },
  },
].map((design) => ({ ...design, people: 10_000, prevalence: 0.3 }));

const nth = <T>(list: { readonly [at: number]: T }, at: number): T => list[at] as T;

interface Household {
  adults: number;
  children: number;
  under6: number;
}

interface Coverage {
  covers: number;
  width: number;
}

export interface HouseholdFindings {
  design: Design;
  samples: number;
  figures: {
    name: string;
    truth: number;
    /** Mean of the estimates; how many in 1 of the intervals hold the truth, and their mean width relative to the truth. */
    mean: number;
    chain: Coverage;
    tree: Coverage;
  }[];
  /** What children would be if each of two parents brought them whole. */
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
  const truths = truthsOf(people, homes);
  const shelteredCount = people.filter(({ sheltered }) => sheltered).length;
  const tally = truths.map(() => ({ sum: 0, chain: { covers: 0, width: 0 }, tree: { covers: 0, width: 0 } }));
  let undivided = 0;
  for (let at = 0; at < extent.samples; at++) {
    const recruitment = recruit(
      people,
      { seeds: design.seeds, interviews: INTERVIEWS },
      random.fork(`sample ${at}`),
    );
    const counted = (method: 'chain' | 'tree') =>
      figuresOf(
        recruitment,
        homes,
        shelteredCount,
        { ...extent, randomSeed: extent.randomSeed + at },
        method,
      );
    const figures = { chain: counted('chain'), tree: counted('tree') };
    for (const [place, { truth }] of truths.entries()) {
      const one = nth(tally, place);
      one.sum += figures.chain[place]?.estimate ?? Number.NaN;
      for (const method of ['chain', 'tree'] as const) {
        const { low, high } = nth(figures[method], place);
        const isCovered = (low ?? 0) <= truth && truth <= (high ?? Number.POSITIVE_INFINITY);
        one[method].covers += Number(isCovered);
        one[method].width += ((high ?? Number.POSITIVE_INFINITY) - (low ?? 0)) / truth;
      }
    }
    undivided += undividedChildren(recruitment, homes, shelteredCount);
    step();
  }
  const { samples } = extent;
  const mean = ({ covers, width }: Coverage) => ({ covers: covers / samples, width: width / samples });
  return {
    design,
    samples,
    figures: truths.map(({ name, truth }, place) => {
      const { sum, chain, tree } = nth(tally, place);
      return { name, truth, mean: sum / samples, chain: mean(chain), tree: mean(tree) };
    }),
    undividedChildren: undivided / samples,
  };
}

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

function answersOf(recruits: readonly Person[], homes: readonly Household[]): CountAnswers {
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

function figuresOf(
  { sample, recruits: people }: Recruited,
  homes: readonly Household[],
  shelteredCount: number,
  { replicates, randomSeed: seed }: StudySize,
  method: 'chain' | 'tree',
): Figure[] {
  const has = Int8Array.from(people, ({ sheltered }) => Number(sheltered));
  const sizes = replacedSizes(sample.reportedSizes);
  const multiplier = { has, known: shelteredCount, knownLow: null, knownHigh: null };
  const { population } = tablesOf({ answers: answersOf(people, homes), sizes, multiplier });
  const tree = treeOf(sample.recruiters);
  const along = (classes: Int32Array) => {
    const pools = chainPools(sample.recruiters, tree, classes);
    return pools && timesAlongChains(pools, Int32Array.from(people.keys()), seed);
  };
  const chain = method === 'chain' ? along(Int32Array.from(has)) : null;
  const draw: Draw = chain ?? ((index, times) => treeReplicate(tree, seed, index, times));
  const drawFor = chain
    ? (members: Int8Array) => along(Int32Array.from(has, (one, at) => 2 * one + nth(members, at)))
    : undefined;
  const { totals, tables } = countPopulation(population, {
    samples: replicates,
    confidence: 0.95,
    seed,
    draw,
    drawFor,
  });
  const cell = (key: string, total: string, name: string) =>
    tables
      .find((one) => one.key === key && one.total === total)
      ?.cells.find((one) => one.key === name) as Figure;
  return [
    totals.ADULTS as Figure,
    totals.PERSONS as Figure,
    totals.HOUSEHOLDS as Figure,
    cell('age', 'PERSONS', 'under6'),
    cell('age', 'PERSONS', '6to17'),
    cell('race', 'ADULTS', 'yes'),
    cell('veteran', 'ADULTS', 'yes'),
    cell('householdType', 'HOUSEHOLDS', 'withChildren'),
    cell('householdType', 'PERSONS', 'withChildren'),
  ];
}

function undividedChildren(
  { sample, recruits: people }: Recruited,
  homes: readonly Household[],
  shelteredCount: number,
): number {
  const weights = replacedSizes(sample.reportedSizes).map((size) => 1 / size);
  let [children, having] = [0, 0];
  for (const [at, { number, sheltered }] of people.entries()) {
    children += nth(weights, at) * nth(homes, number).children;
    having += nth(weights, at) * Number(sheltered);
  }
  return (shelteredCount * children) / having;
}
