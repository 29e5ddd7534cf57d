/** What is told of runs. Figures of few people are hidden when they are read, from whom the study's settings say. */
import type { Interval } from '../analysis/intervals.ts';
import { hiddenWithin } from '../sample/small-cells.ts';
import { type AnalysisRunRecord, AnalysisRuns, filtersOf, type RunRequest } from './model.ts';

/** As this caller may see it; `smallest` from `smallestCellFor`. */
export function shownRun(run: AnalysisRunRecord, smallest: number) {
  const { result } = run;
  if (!result) return run;
  const outcomes = result.outcomes.map(({ name, levels }) => ({
    name,
    levels: shownLevels(levels, result.sample.n ?? 0, smallest),
  }));
  return { ...run, result: { ...result, outcomes } };
}

const NOTHING = {
  estimate: null,
  standardError: null,
  low: null,
  high: null,
  designEffect: null,
  effectiveSize: null,
  inverse: null,
};

/** Of a sample that is smaller than that itself, nothing is shown. */
function shownLevels(levels: readonly Interval[], n: number, smallest: number) {
  const counts = levels.map(({ count }) => count);
  const hidden = hiddenWithin(n, counts, smallest);
  return levels.map((level, at): ShownLevel => (hidden[at] ? { ...level, ...NOTHING, hidden: true } : level));
}

type ShownLevel = Nullable<Interval, keyof typeof NOTHING> & { hidden?: true };
type Nullable<T, Keys extends keyof T> = Omit<T, Keys> & { [Key in Keys]: T[Key] | null };

type Filters = Pick<RunRequest, 'location' | 'from' | 'to' | 'questionnaire'>;

export interface TreeRun {
  id: string;
  /** The instant of its data. */
  asOf: Date;
  confidence: number;
  /** As this caller may see it: its sample may have been smaller than today's. */
  levels: ShownLevel[];
}

interface Sought extends Filters {
  outcome: string;
  /** From `smallestCellFor`. */
  smallest: number;
  /** Without this any. */
  confidence?: number;
  /** Not before this run was asked for. */
  since?: Date;
}

/** The latest finished run of TREE of this outcome, alone or with all, over the interviews that these filters leave. */
export async function latestTreeRun({
  outcome,
  smallest,
  confidence,
  since,
  ...filters
}: Sought): Promise<TreeRun | null> {
  const wanted = {
    filters: filtersOf({ method: 'TREE', ...filters }),
    'request.outcome': { $in: [outcome, null] },
    state: 'DONE' as const,
    'result.outcomes.name': outcome,
    ...(confidence === undefined ? {} : { 'request.confidence': confidence }),
    ...(since === undefined ? {} : { createdAt: { $gte: since } }),
  };
  // The others may be many.
  const cond = { $eq: ['$$this.name', { $literal: outcome }] };
  const fields = {
    'result.outcomes': { $filter: { input: '$result.outcomes', cond } },
    'result.asOf': 1,
    'result.sample.n': 1,
    'request.confidence': 1,
  };
  const found = await AnalysisRuns.collection.findOne<AnalysisRunRecord>(wanted as never, {
    projection: fields,
    sort: { finishedAt: -1 },
  });
  const [only] = found?.result?.outcomes ?? [];
  if (!found?.result || !only) return null;
  const { asOf, sample } = found.result;
  const levels = shownLevels(only.levels, sample.n ?? 0, smallest);
  return { id: found._id.toHexString(), asOf, confidence: found.request.confidence, levels };
}
