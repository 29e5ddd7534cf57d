/** Estimates as one caller may see them, without figures of few people (sample/small-cells.ts). */
import type { ReasonForTreeInterval } from '../estimators/tree-reasons.ts';
import type { FinishedRun, ShownInterval } from '../runs/read.ts';
import { hiddenLevelsAtSite, type levelTitlesOf, type SiteTable } from '../sample/by-site.ts';
import type { LoadedOutcome, TableSample } from '../sample/sample.ts';
import { hiddenInTable, hiddenLevels } from '../sample/small-cells.ts';
import type { OutcomeEstimate, PopulationSizeRange } from './estimate.ts';
import { shownHistogram } from './histogram.ts';
import { missingFigureNotesOf } from './missing-figures.ts';
import type { Estimates, EstimateWarning } from './schema.ts';
import { type BySite, standardizedForReader } from './standardized-for-reader.ts';
import { VisibleOutcomeLevels } from './visible-levels.ts';
import type { WarningInput } from './warnings/warning-inputs.ts';
import { estimateWarningsOf } from './warnings/warnings.ts';

/** The cached result, the same for every caller. */
export interface CachedEstimate {
  name: string;
  kind: 'CATEGORY' | 'NUMBER';
  asOf: Date;
  about: Pick<TableSample, 'n' | 'orphans' | 'sizeMissing' | 'sizeZero'> & { notAsked: number };
  population: PopulationSizeRange;
  /** [levels], or a single null for a number. */
  values: (string | null)[];
  titles: ReturnType<typeof levelTitlesOf>;
  offered: LoadedOutcome['offered'];
  estimate: OutcomeEstimate;
  /** Ids of the seeds of `estimate.bottleneck`. */
  treeSeeds: string[];
  /**
   * Known answers about who the recruiter is, by level, and the index of the level "stranger" (-1 if it does not
   * occur).
   */
  relation: { counts: number[]; stranger: number; sites: SiteTable | null } | null;
  /** The sample is a single site's. (Only super-admins can request some days, and they see everything.) */
  isPart: boolean;
  /** If the sample is a single site's: how many people gave each answer at each site. */
  siteTable: SiteTable | null;
  /** Present if site sizes are known. */
  bySite: BySite | null;
  /** `siteSettingsFingerprint` of the settings. */
  siteSizesKey: string;
}

/** The latest run of each kind. */
export interface LatestRunByMethod {
  chain: FinishedRun | null;
  tree: FinishedRun | null;
  /** CHAIN with SS. */
  ss: FinishedRun | null;
}
export const NO_RUNS: LatestRunByMethod = { chain: null, tree: null, ss: null };

/** Notes that reveal which answers occur. */
const LEVEL_NOTES: ReadonlySet<string> = new Set(['ONE_LEVEL', 'NOT_CONNECTED', 'PERIODIC']);

export function visibleEstimates(
  answer: CachedEstimate,
  smallest: number,
  runs: LatestRunByMethod,
): Estimates {
  const { estimate, about, values } = answer;
  if (about.n > 0 && about.n < smallest) return hideEverything(answer);
  const among = hiddenLevels(estimate.sizes, smallest);
  const hiddenValues = answer.siteTable
    ? hiddenLevelsAtSite(answer.siteTable, smallest)
    : new Set(values.filter((_, level) => among[level]));
  const hidden = values.map((value) => hiddenValues.has(value));
  const view = VisibleOutcomeLevels.of(values, hiddenValues, smallest);
  const hiddenInTrees = hideByTree(answer, hidden, smallest);
  const { chain, tree } = runs;
  const reason = chain?.treeReason ?? null;
  const first = reason !== null || !chain ? (tree ?? chain) : chain;
  const intervalsFrom = (run: FinishedRun | null) =>
    run && values.map((value, level) => (hidden[level] ? null : intervalIn(run, value)));
  const intervals = intervalsFrom(first);
  return {
    outcome: answer.name,
    kind: answer.kind,
    asOf: answer.asOf.toISOString(),
    sample: sampleOf(answer),
    levels: levelsOf(answer, view, runs),
    first: first && (first === chain ? 'CHAIN' : 'TREE'),
    firstReason: first && first !== chain && reason ? { code: reason, message: REASONS[reason] } : null,
    standardised: standardizedForReader(answer, view, smallest, chain),
    run: first?.id ?? null,
    runAsOf: first?.asOf.toISOString() ?? null,
    runConfidence: first?.confidence ?? null,
    notes: missingFigureNotesOf(estimate, about.n, answer.population, intervals).filter(
      ({ code }) => !view.isNothingShown || !LEVEL_NOTES.has(code),
    ),
    ...mixing(estimate, view),
    convergence: convergence(estimate, view),
    bottleneck: bottleneck(answer, view, { hiddenInTrees, smallest }),
    byWave: estimate.byWave,
    networkSizes: networkSizes(answer, smallest),
    warnings: warnings(answer, { hidden, smallest }, { intervals, chain: intervalsFrom(chain) }),
  };
}

const REASONS: Record<ReasonForTreeInterval, string> = {
  CHAINS_DIFFER: 'Chains differ by more than chance explains, so the wide interval is the honest one.',
  LIKENESS_REACHES_FAR:
    'People resemble each other further along the chain than the narrow interval allows, so the wide interval is the honest one.',
};

/** Null if this caller may not see it, or no answer was known; the bounds are null if all replicates were the same. */
const intervalIn = ({ levels }: FinishedRun, value: string | null): ShownInterval | null =>
  levels.find((level) => level.value === value && !level.hidden && level.estimate !== null) ?? null;

/** With so few people, not even which answers occurred is shown; the levels are those offered. */
function hideEverything(answer: CachedEstimate): Estimates {
  const nothing = { mean: null, rds1: null, rds2: null, ss: null, ssLow: null, ssHigh: null, trimmed: null };
  const levels = answer.kind === 'NUMBER' ? [{ value: null, title: null }] : answer.offered;
  return {
    outcome: answer.name,
    kind: answer.kind,
    asOf: answer.asOf.toISOString(),
    sample: sampleOf(answer),
    levels: levels.map((level) => ({ ...level, count: null, ...nothing, ...NO_INTERVALS, hidden: true })),
    first: null,
    firstReason: null,
    standardised: null,
    run: null,
    runAsOf: null,
    runConfidence: null,
    notes: [],
    transitions: null,
    homophily: null,
    differentialActivity: null,
    convergence: [],
    bottleneck: [],
    byWave: [],
    networkSizes: null,
    warnings: [],
  };
}

const NO_INTERVALS = { interval: null, cautious: null, ssInterval: null };

function sampleOf({ about, estimate, population }: CachedEstimate): Estimates['sample'] {
  const { n, notAsked, orphans, sizeMissing, sizeZero } = about;
  return {
    n,
    seeds: estimate.seeds,
    orphans,
    waves: estimate.waves,
    known: estimate.known,
    missing: n - estimate.known - notAsked,
    notAsked,
    sizeMissing,
    sizeZero,
    largestChain: n > 0 ? (estimate.chains[0]?.people ?? 0) / n : 0,
    numberOfChains: estimate.numberOfChains,
    populationSize: population.size,
  };
}

function levelsOf(
  { estimate, titles }: CachedEstimate,
  view: VisibleOutcomeLevels,
  runs: LatestRunByMethod,
): Estimates['levels'] {
  const { figures, counts } = estimate;
  const intervalOf = (run: FinishedRun | null, value: string | null) => {
    const interval = run && intervalIn(run, value);
    return interval?.low === null ? null : interval;
  };
  return view.levels((figure, { value, isHidden }) => ({
    title: titles.get(value) ?? null,
    count: figure(counts),
    mean: figure(figures.mean),
    rds1: figure(figures.rds1),
    rds2: figure(figures.rds2),
    ss: figure(figures.ss),
    ssLow: figure(figures.ssLow),
    ssHigh: figure(figures.ssHigh),
    trimmed: figure(figures.trimmed),
    ...(isHidden
      ? NO_INTERVALS
      : {
          interval: intervalOf(runs.chain, value),
          cautious: intervalOf(runs.tree, value),
          ssInterval: intervalOf(runs.ss, value),
        }),
  }));
}

function mixing(
  { transitions, homophily, differentialActivity }: OutcomeEstimate,
  view: VisibleOutcomeLevels,
): Pick<Estimates, 'transitions' | 'homophily' | 'differentialActivity'> {
  const byLevel = (values: (number | null)[]) => view.levels((figure) => ({ estimate: figure(values) }));
  return {
    transitions: transitions && {
      counts: view.table(transitions.counts),
      stationary: transitions.stationary && view.figures(transitions.stationary),
      harmonicSizes: view.figures(transitions.harmonicSizes),
    },
    homophily: homophily && {
      recruitment: view.isNothingShown ? null : homophily.recruitment,
      population: byLevel(homophily.population),
    },
    differentialActivity: differentialActivity && byLevel(differentialActivity),
  };
}

function convergence(
  { convergence: steps }: OutcomeEstimate,
  whole: VisibleOutcomeLevels,
): Estimates['convergence'] {
  return steps.map(({ n, at, sizes, rds1, rds2 }) => {
    const levels = whole.within(sizes).levels((figure) => ({ rds1: figure(rds1), rds2: figure(rds2) }));
    return { n, at: new Date(at).toISOString(), levels };
  });
}

/**
 * [trees][levels] which figures to hide, treating trees by levels as a table: the totals over all trees are shown, so a
 * single tree's figure could be derived by subtracting the others. The trees that are not shown form one extra row.
 */
function hideByTree(
  { estimate, about }: CachedEstimate,
  hidden: readonly boolean[],
  smallest: number,
): boolean[][] {
  const trees = estimate.bottleneck;
  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
  const sizes = trees.map((tree) => tree.sizes);
  const people = trees.map((tree) => tree.people);
  const totals = { rows: [...people, about.n - sum(people)], columns: estimate.sizes };
  const apart = [...trees.map((tree) => tree.apart), estimate.apartBeyond];
  return hiddenInTable([...sizes, estimate.sizesBeyond], smallest, totals, {
    hidden: { columns: hidden },
    apart,
  }).cells;
}

/**
 * Trees smaller than `smallest` are left out. The sizes of the others are always shown, because chain lengths are shown
 * anyway.
 */
function bottleneck(
  { estimate, treeSeeds }: CachedEstimate,
  view: VisibleOutcomeLevels,
  { hiddenInTrees, smallest }: { hiddenInTrees: readonly boolean[][]; smallest: number },
): Estimates['bottleneck'] {
  return estimate.bottleneck.flatMap(({ people, figures }, at) => {
    if (people < smallest) return [];
    const levels = view.without(hiddenInTrees[at]!).levels((figure) => ({ rds2: figure(figures) }));
    return [{ seed: treeSeeds[at]!, n: people, levels }];
  });
}

/** The same bars as in the answers to the question itself (answers.ts), so that comparing the two reveals nothing. */
const networkSizes = ({ estimate, isPart }: CachedEstimate, smallest: number) =>
  estimate.networkSizes && !(isPart && smallest > 0) ? shownHistogram(estimate.networkSizes, smallest) : null;

interface HiddenLevels {
  hidden: readonly boolean[];
  smallest: number;
}

function warnings(
  { estimate, about, population, kind, relation }: CachedEstimate,
  { hidden, smallest }: HiddenLevels,
  { intervals, chain }: Pick<WarningInput, 'intervals' | 'chain'>,
): EstimateWarning[] {
  return estimateWarningsOf({
    estimate,
    n: about.n,
    askedCount: about.n - about.notAsked,
    sizesMissing: about.sizeMissing + about.sizeZero,
    population: population.size,
    isShare: kind === 'CATEGORY',
    strangers: relation && strangerShare(relation, smallest),
    shown: hidden.map((one) => !one),
    intervals,
    chain,
  });
}

/** The share recruited by a stranger, among people who say who recruited them; null if that is hidden. */
function strangerShare(
  { counts, stranger, sites }: NonNullable<CachedEstimate['relation']>,
  smallest: number,
) {
  if (hiddenLevels(counts, smallest)[stranger]) return null;
  if (sites && hiddenLevelsAtSite(sites, smallest).has('stranger')) return null;
  return (counts[stranger] ?? 0) / counts.reduce((all, one) => all + one, 0);
}
