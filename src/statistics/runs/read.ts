/**
 * Runs as one caller may see them. Figures of few people are hidden at read time, depending on the study's settings.
 */
import { reasonToShowTreeInterval } from '../estimators/first-interval.ts';
import type { LevelInterval } from '../estimators/intervals.ts';
import { byCodePoint } from '../estimators/outcome.ts';
import type { ReasonForTreeInterval } from '../estimators/tree-reasons.ts';
import { hiddenLevelsAtSite } from '../sample/by-site.ts';
import { LOCATION_OUTCOME_SPEC } from '../sample/catalog.ts';
import { isSampleNarrowed } from '../sample/right.ts';
import { hiddenLevels } from '../sample/small-cells.ts';
import { AnalysisRunModel, type AnalysisRunRecord, filterKeyOf, type OutcomeIntervals } from './model.ts';
import type { RunRequest } from './schema.ts';

/** The run as this caller may see it; `smallest` comes from `smallestCellFor`. */
export function runForReader(run: AnalysisRunRecord, smallest: number) {
  const { result } = run;
  if (!result) return run;
  const outcomes = result.outcomes.map((outcome) => ({
    name: outcome.name,
    levels: shownLevels(outcome, run, smallest),
  }));
  return { ...run, result: { ...result, outcomes } };
}

/** Versions before this one stored the number of known answers of a number, not how many people are behind its mean. */
const CELL_SIZE_FORMAT = 3;

const NO_SPREAD = {
  standardError: null,
  low: null,
  high: null,
  designEffect: null,
  effectiveSize: null,
  inverse: null,
  standardised: null,
};
const NOTHING = { estimate: null, ...NO_SPREAD };

/** Earlier versions stored a zero-width interval if all replicates were the same. */
const withoutEmptySpread = (level: LevelInterval): LevelInterval =>
  level.standardError === 0 ? { ...level, ...NO_SPREAD } : level;

type StoredRun = Pick<AnalysisRunRecord, 'request' | 'result'>;

/**
 * For some days, for one version, or for a sample smaller than `smallest`, not even the answers that occurred are
 * shown. For a single site, hides what its estimates hide.
 */
function shownLevels(
  { name, levels: storedLevels, sites }: OutcomeIntervals,
  run: StoredRun,
  smallest: number,
): ShownInterval[] {
  const levels = storedLevels.map(withoutEmptySpread);
  const isOldNumber = levels[0]?.value === null && Number(run.result?.version) < CELL_SIZE_FORMAT;
  const n = run.result?.sample.n ?? 0;
  if (n < smallest || (smallest > 0 && isSampleNarrowed(run.request))) return [];
  if (smallest > 0 && isOldNumber) return levels.map(hiddenLevel);
  const isOneSite = run.request.location !== null && name !== LOCATION_OUTCOME_SPEC.name;
  if (smallest === 0) return levels;
  if (!isOneSite) {
    const counts = levels.map(({ count }) => count);
    const hidden = hiddenLevels(counts, smallest);
    return levels.map((level, at) => (hidden[at] ? hiddenLevel(level) : level));
  }
  if (!sites) return levels.map(hiddenLevel);
  const hidden = hiddenLevelsAtSite(sites, smallest);
  const dropped = levels[0]?.dropped ?? 0;
  return [...new Set([...levels.map(({ value }) => value), ...hidden])]
    .sort((a, b) => byCodePoint(a ?? '', b ?? ''))
    .map((value) => {
      const level = levels.find((one) => one.value === value);
      return level && !hidden.has(value) ? level : hiddenLevel(level ?? { value, count: 0, dropped });
    });
}

const hiddenLevel = ({
  value,
  count,
  dropped,
}: Pick<LevelInterval, 'value' | 'count' | 'dropped'>): ShownInterval => ({
  ...{ value, count, dropped },
  ...NOTHING,
  hidden: true,
});

export type ShownInterval = Nullable<LevelInterval, keyof typeof NOTHING> & { hidden?: true };
type Nullable<T, Keys extends keyof T> = Omit<T, Keys> & { [Key in Keys]: T[Key] | null };

type Filters = Pick<RunRequest, 'location' | 'from' | 'to' | 'questionnaire' | 'round'>;

export interface FinishedRun {
  id: string;
  /** The time of its data. */
  asOf: Date;
  confidence: number;
  /** Why TREE's interval is shown before CHAIN's; null if it is not, and for TREE itself. */
  treeReason: ReasonForTreeInterval | null;
  /** For CHAIN: `siteSettingsFingerprint` of the settings that it was calculated with. */
  sites: string;
  /** As this caller may see them. The sample may have been smaller than it is today. */
  levels: ShownInterval[];
}

interface RunFilters extends Filters {
  method: 'CHAIN' | 'TREE';
  /** RDS_II if omitted. */
  estimator?: 'RDS_II' | 'SS';
  /** For SS. */
  populationSize?: number;
  outcome: string;
  /** From `smallestCellFor`. */
  smallest: number;
  /** Any confidence if omitted. */
  confidence?: number;
  /** Only runs requested at or after this time. */
  since?: Date;
}

/** The latest finished run with these filters that includes this outcome, alone or with others. */
export async function latestRun({
  estimator = 'RDS_II',
  populationSize,
  outcome,
  smallest,
  confidence,
  since,
  ...filters
}: RunFilters): Promise<FinishedRun | null> {
  const filter = {
    filters: filterKeyOf(filters),
    'request.estimator': estimator,
    ...(populationSize === undefined ? {} : { 'request.populationSize': populationSize }),
    'request.outcome': { $in: [outcome, null] },
    state: 'DONE' as const,
    'result.outcomes.name': outcome,
    ...(confidence === undefined ? {} : { 'request.confidence': confidence }),
    ...(since === undefined ? {} : { createdAt: { $gte: since } }),
  };
  // There may be many other outcomes.
  const cond = { $eq: ['$$this.name', { $literal: outcome }] };
  const fields = {
    'result.outcomes': { $filter: { input: '$result.outcomes', cond } },
    'result.asOf': 1,
    'result.sample.n': 1,
    'result.version': 1,
    'result.sites': 1,
    'request.confidence': 1,
    'request.location': 1,
  };
  const run = await AnalysisRunModel.collection.findOne<AnalysisRunRecord>(filter as never, {
    projection: fields,
    sort: { finishedAt: -1 },
  });
  const [only] = run?.result?.outcomes ?? [];
  if (!run?.result || !only) return null;
  const { asOf, sites = '' } = run.result;
  const reasons = only.levels.flatMap((level) => level.reasons ?? []);
  return {
    id: run._id.toHexString(),
    asOf,
    confidence: run.request.confidence,
    treeReason: reasonToShowTreeInterval(reasons),
    sites,
    levels: shownLevels(only, run, smallest),
  };
}
