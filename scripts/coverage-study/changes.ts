/**
 * The change between two samples, of the same population and of one in which the group is 5 or 10 points larger: how
 * often its interval contains the true change, and how often it shows that the share rose.
 */
import { chainMethodVariants } from '../../src/statistics/estimators/bootstrap/bootstrap-chain.ts';
import { differenceInterval } from '../../src/statistics/estimators/difference.ts';
import { reasonToShowTreeInterval } from '../../src/statistics/estimators/first-interval.ts';
import { intervalsOf, replicatesOf } from '../../src/statistics/estimators/intervals.ts';
import type { Person } from '../simulate/population.ts';
import { type Random, randomFrom } from '../simulate/random.ts';
import { type Design, INTERVIEWS, observe, populationOf } from './designs.ts';
import { recruit } from './recruitment.ts';
import type { StudySize } from './study.ts';

export const RISES = [0, 0.05, 0.1];
export const CHANGE_INTERVALS = {
  chain: 'CHAIN',
  tree: 'TREE',
  rule: 'the rule',
  standardised: 'standardized',
} as const;
type Name = keyof typeof CHANGE_INTERVALS;

export interface ChangeFindings {
  design: Design;
  samples: number;
  rises: {
    /** True shares: later less earlier. */
    truth: number;
    intervals: Record<Name, { covers: number; width: number; rises: number; without: number }>;
  }[];
}

interface Replicates {
  chain: Float64Array;
  tree: Float64Array;
  standardised: Float64Array | null;
  isTreeFirst: boolean;
}

/** The same design with a larger group. */
function risen(design: Design, rise: number): Design {
  const { neighbourhoods } = design;
  return {
    ...design,
    prevalence: design.prevalence + rise,
    ...(neighbourhoods && {
      neighbourhoods: {
        ...neighbourhoods,
        prevalences: neighbourhoods.prevalences.map((share) => share + rise),
      },
    }),
  };
}

export function changeStudyOf(
  design: Design,
  extent: StudySize,
  step: () => void = () => {},
  network: readonly Person[] | null = null,
): ChangeFindings {
  const random = randomFrom(`${extent.randomSeed}/${design.name}/change`);
  // Of a network that was given there is no second one.
  const rises = network ? [0] : RISES;
  const populations = rises.map(
    (rise) => network ?? populationOf(risen(design, rise), random.fork(`${rise}`)),
  );
  const shares = populations.map((people) => people.filter(({ spanish }) => spanish).length / people.length);
  const tallies = rises.map(() => tallyOf());
  for (let at = 0; at < extent.samples; at++) {
    const seed = 10 * at;
    const earlier = sampleOf(design, populations[0] ?? [], random.fork(`earlier ${at}`), seed, extent);
    for (const [place, people] of populations.entries()) {
      const own = random.fork(`later ${at}/${place}`);
      const later = sampleOf(design, people, own, seed + 1 + place, extent);
      addTo(tallies[place], earlier, later, (shares[place] ?? 0) - (shares[0] ?? 0));
    }
    step();
  }
  return {
    design,
    samples: extent.samples,
    rises: tallies.map((tally, place) => ({
      truth: (shares[place] ?? 0) - (shares[0] ?? 0),
      intervals: Object.fromEntries(
        Object.entries(tally).map(([name, { covers, width, rises: shown, count }]) => [
          name,
          {
            ...{ covers: covers / count, width: width / count, rises: shown / count },
            without: extent.samples - count,
          },
        ]),
      ) as ChangeFindings['rises'][number]['intervals'],
    })),
  };
}

const tallyOf = () =>
  Object.fromEntries(
    Object.keys(CHANGE_INTERVALS).map((name) => [name, { covers: 0, width: 0, rises: 0, count: 0 }]),
  ) as Record<Name, { covers: number; width: number; rises: number; count: number }>;

function addTo(
  tally: ReturnType<typeof tallyOf> | undefined,
  from: Replicates,
  to: Replicates,
  truth: number,
): void {
  const add = (name: Name, before: Float64Array | null, after: Float64Array | null) => {
    const bounds = before && after && differenceInterval(before, after, 0.95);
    const one = tally?.[name];
    if (!bounds || !one) return;
    one.covers += Number(bounds.low <= truth && truth <= bounds.high);
    one.width += bounds.high - bounds.low;
    one.rises += Number(bounds.low > 0);
    one.count++;
  };
  add('chain', from.chain, to.chain);
  add('tree', from.tree, to.tree);
  const first = from.isTreeFirst || to.isTreeFirst ? 'tree' : 'chain';
  add('rule', from[first], to[first]);
  add('standardised', from.standardised, to.standardised);
}

function sampleOf(
  design: Design,
  people: readonly Person[],
  random: Random,
  seed: number,
  { replicates: samples }: StudySize,
): Replicates {
  const recruited = recruit(people, { ...design, interviews: INTERVIEWS }, random);
  const { outcome, sites, ground, inside } = observe(design, recruited, random);
  const about = { estimator: 'RDS_II', population: design.people, confidence: 0.95, seed } as const;
  const [chain] = replicatesOf(ground, [outcome], { method: 'CHAIN', ...about }, { samples, seed });
  const [tree] = replicatesOf(ground, [outcome], { method: 'TREE', ...about }, { samples, seed });
  const intervals = chain ? intervalsOf(ground, outcome, { method: 'CHAIN', ...about }, chain) : [];
  const none = new Float64Array(0);
  const part = chainMethodVariants(sites).indexOf('STANDARDISED');
  const standardised = part < 0 ? null : (chain?.figures[part * outcome.levels.length + inside] ?? none);
  return {
    chain: chain?.figures[inside] ?? none,
    tree: tree?.figures[inside] ?? none,
    standardised,
    isTreeFirst: reasonToShowTreeInterval(intervals.flatMap(({ reasons }) => reasons ?? [])) !== null,
  };
}
