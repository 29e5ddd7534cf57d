/** How often each warning of an estimate shows in samples from known populations. */
import { groundOf, intervalsOf, replicatesOf } from '../../src/statistics/estimators/intervals.ts';
import { estimateAll } from '../../src/statistics/results/estimate.ts';
import { WARNINGS, type WarningCode } from '../../src/statistics/results/warning-codes.ts';
import { warningsOf } from '../../src/statistics/results/warnings/warnings.ts';
import { randomFrom } from '../simulate/random.ts';
import { type Recruited, recruit } from './recruitment.ts';
import { type Design, groupOf, INTERVIEWS, populationOf, type StudySize } from './study.ts';

const [PEOPLE, SEEDS] = [10_000, 6];

export const WARNING_DESIGNS: Design[] = [
  { name: 'mild homophily', people: PEOPLE, homophily: 0.1, seeds: SEEDS },
  { name: 'strong homophily', people: PEOPLE, homophily: 0.6, seeds: SEEDS },
  {
    name: 'chains that live apart',
    people: PEOPLE,
    homophily: 0.1,
    seeds: SEEDS,
    neighbourhoods: { prevalences: [0.1, 0.5], crossing: 0.002 },
  },
  { name: 'two seeds', people: PEOPLE, homophily: 0.1, seeds: 2 },
  {
    name: 'four neighbourhoods that hardly meet',
    people: PEOPLE,
    homophily: 0.1,
    seeds: SEEDS,
    neighbourhoods: { prevalences: [0.1, 0.2, 0.4, 0.5], crossing: 0.02 },
  },
];

export interface WarningFindings {
  design: Design;
  samples: number;
  /** How many of the samples showed each. */
  raised: Record<WarningCode, number>;
}

/** `step` is called after each sample. */
export function warningStudyOf(
  design: Design,
  extent: StudySize,
  step: () => void = () => {},
): WarningFindings {
  const random = randomFrom(`${extent.randomSeed}/${design.name}`);
  const all = populationOf(design, random);
  const raised = Object.fromEntries(WARNINGS.map((code) => [code, 0])) as Record<WarningCode, number>;
  for (let at = 0; at < extent.samples; at++) {
    const recruited = recruit(
      all,
      { seeds: design.seeds, interviews: INTERVIEWS },
      random.fork(`sample ${at}`),
    );
    for (const code of codesOf(recruited, extent.replicates, at)) raised[code]++;
    step();
  }
  return { design, samples: extent.samples, raised };
}

function codesOf({ sample, recruits: people }: Recruited, samples: number, seed: number): Set<WarningCode> {
  const outcome = groupOf(people);
  const estimates = estimateAll({
    sample,
    times: Float64Array.from(sample.order),
    outcome,
    population: { size: null, low: null, high: null },
    randomSeed: seed,
    sites: null,
  });
  const ground = groundOf(sample.recruiters, sample.reportedSizes);
  const bootstrap = {
    method: 'TREE',
    estimator: 'RDS_II',
    population: null,
    confidence: 0.95,
    seed,
  } as const;
  const [replicates] = replicatesOf(ground, [outcome], bootstrap, { samples, seed });
  if (!replicates) throw new Error('There is one outcome.');
  const intervals = intervalsOf(ground, outcome, bootstrap, replicates);
  const all = outcome.levels.map(() => true);
  const warnings = warningsOf({
    found: estimates,
    n: people.length,
    asked: people.length,
    sizesMissing: 0,
    population: null,
    isShare: true,
    strangers: null,
    shown: all,
    intervals,
    chain: null,
  });
  return new Set(warnings.map(({ code }) => code));
}
