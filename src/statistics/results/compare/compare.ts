/** One outcome in each group of another, with the weights of the whole sample, so that groups can be compared. */
import type { z } from 'zod';
import { fieldError } from '../../../platform/http/problems/error-codes.ts';
import { queryParameterProblem } from '../../../platform/http/problems/problem.ts';
import type { TextByLanguage } from '../../../questionnaires/codebook/countable.ts';
import { randomSeedOf } from '../../estimators/draws/random.ts';
import type { GroupIntervals, GroupJob } from '../../estimators/group-intervals.ts';
import { columnsOfAllSites, levelTitlesOf } from '../../sample/by-site.ts';
import { LOCATION_OUTCOME_SPEC } from '../../sample/catalog.ts';
import { loadRoundContext } from '../../sample/load.ts';
import { type ResultsReader, readerId, smallestCellFor } from '../../sample/right.ts';
import {
  type LoadedOutcome,
  type SampleContext,
  type SampleOptions,
  sampleOf,
  type TableSample,
} from '../../sample/sample.ts';
import { MAX_CROSSTAB_CELLS } from '../../sample/small-cells.ts';
import { queryStudyTable } from '../../study-table/ask.ts';
import { createStudyTableQuery } from '../../study-table/table-query.ts';
import { runInEstimateThread } from '../estimate-threads.ts';
import type { GroupComparison as ComparisonShape, GroupComparisonQuery } from '../schema.ts';
import { type GroupComparisonTable, tabulateOutcomeByGroup } from './compare-tables.ts';

type Comparison = z.input<typeof ComparisonShape>;

interface Compared extends GroupComparisonTable {
  n: number;
  notAsked: Comparison['notAsked'];
  /** The sample is a single site's, and cells may need to be hidden. */
  isOneSite: boolean;
  outcome: Levels;
  by: Levels;
}

interface Levels {
  /** The values that occur. */
  values: readonly (string | null)[];
  titles: ReadonlyMap<string | null, TextByLanguage | null>;
}

export async function compareGroups(
  reader: ResultsReader,
  query: GroupComparisonQuery,
  now: Date,
): Promise<Comparison> {
  const { settings, context } = await loadRoundContext(query.round);
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const { outcome, by, ...window } = query;
  const request = { outcome, by, window, zone: reader.zone, smallest, ...context };
  const { job, ...comparison } = await queryStudyTable(groupComparisonTableQuery, request, readerId(reader));
  const randomSeed = randomSeedOf([outcome, by, window]);
  const intervals = await runInEstimateThread({ kind: 'groups', ...job, randomSeed }, readerId(reader));
  return toReply(query, comparison, intervals, { now, smallest });
}

interface ComparisonRequest
  extends Pick<SampleOptions, 'window' | 'zone'>,
    SampleContext,
    Pick<GroupComparisonQuery, 'outcome' | 'by'> {
  smallest: number;
}

export const groupComparisonTableQuery = createStudyTableQuery(
  'comparison',
  (
    table,
    { outcome, by, smallest, ...request }: ComparisonRequest,
  ): Compared & { job: Omit<GroupJob, 'randomSeed'> } => {
    const sample = sampleOf(table, { ...request, outcomes: { outcome, by }, withOtherSites: smallest > 0 });
    const [of, groups] = sample.outcomes as [LoadedOutcome, LoadedOutcome];
    if (groups.outcome.kind !== 'CATEGORY') {
      throw queryParameterProblem(fieldError('by', 'NOT_A_CATEGORY'));
    }
    const all = columnsOfAllSites(sample);
    const names = {
      outcome: levelsOf(of, sample.elsewhere?.outcomes[0]),
      by: levelsOf(groups, sample.elsewhere?.outcomes[1]),
    };
    const [width, height] = all?.outcomes.map(({ levels }) => levels.length) ?? [
      names.outcome.values.length,
      names.by.values.length,
    ];
    if (width! * height! > MAX_CROSSTAB_CELLS) {
      throw queryParameterProblem(fieldError('by', 'TOO_MANY_CELLS', { most: MAX_CROSSTAB_CELLS }));
    }
    const tables = tabulateOutcomeByGroup({
      names: { outcome, by },
      reportedSizes: sample.reportedSizes,
      outcome: of.outcome,
      groups: groups.outcome,
      atAllSites: all,
      unasked: { outcome: isUnasked(sample, 0), by: isUnasked(sample, 1) },
      smallest,
    });
    const notAsked = { outcome: of.notAsked, by: groups.notAsked };
    const { recruiters, reportedSizes } = sample;
    const job = { recruiters, reportedSizes, outcome: of.outcome, groups: groups.outcome };
    return { n: sample.n, notAsked, isOneSite: all !== null, ...names, ...tables, job };
  },
);

const isUnasked = ({ outcomes, elsewhere }: TableSample, at: number): boolean =>
  [outcomes[at], elsewhere?.outcomes[at]].some((one) => (one?.notAsked ?? 0) > 0);

const levelsOf = (here: LoadedOutcome, elsewhere?: LoadedOutcome): Levels => ({
  values: here.outcome.kind === 'CATEGORY' ? here.outcome.levels : [null],
  titles: levelTitlesOf(here, elsewhere),
});

interface Line {
  value: string | null;
  title: TextByLanguage | null;
  /** Index among the levels that occur; -1 for one that does not occur but is hidden anyway. */
  place: number;
  /** Index in `ComparedTables.hidden`. */
  at: number;
}

function toReply(
  { outcome, by }: GroupComparisonQuery,
  comparison: Compared,
  intervals: GroupIntervals | null,
  { now, smallest }: { now: Date; smallest: number },
): Comparison {
  const header = { outcome, by, asOf: now.toISOString(), notAsked: comparison.notAsked };
  // With so few people, not even which answers occurred is shown.
  if (comparison.n > 0 && comparison.n < smallest) return { ...header, groups: [], differences: [] };
  const { hidden } = comparison;
  const { groups, levels } = visibleLines({ outcome, by }, comparison);
  const nothing = { count: null, mean: null, rds2: null, interval: null, hidden: true as const };
  const nobody = { count: 0, mean: null, rds2: null };
  const isHiddenAt = (group: Line, level: Line) =>
    hidden.rows[group.at]! || hidden.cells[group.at]![level.at]!;
  return {
    ...header,
    groups: groups.map(({ value, title, place, at }) => {
      const isHidden = hidden.rows[at]!;
      const row = comparison.cells[place];
      const answerCount = row?.reduce((sum, { count }) => sum + count, 0) ?? 0;
      return {
        value,
        title,
        count: isHidden ? null : (comparison.people.rows[place] ?? 0),
        known: isHidden || hidden.known[at] ? null : answerCount,
        levels: levels.map((level) => {
          const about = { value: level.value, title: level.title };
          if (isHidden || hidden.cells[at]![level.at]) return { ...about, ...nothing };
          const interval = intervals?.cells[place]?.[level.place] ?? null;
          return { ...about, ...(row?.[level.place] ?? nobody), interval };
        }),
        ...(isHidden ? { hidden: true as const } : {}),
      };
    }),
    differences: (intervals?.differences ?? []).flatMap(({ one, other, levels: bounds }) => {
      const pair = [one, other].map((index) => groups.find(({ place }) => place === index));
      const [first, second] = pair;
      if (!first || !second) return [];
      return levels.flatMap((level) => {
        const [a, b] = [one, other].map((group) => comparison.cells[group]?.[level.place]?.rds2 ?? null);
        const interval = bounds[level.place];
        if (a === null || a === undefined || b === null || b === undefined || !interval) return [];
        if (isHiddenAt(first, level) || isHiddenAt(second, level)) return [];
        const about = { value: level.value, one: first.value, other: second.value };
        return [{ ...about, difference: a - b, ...interval }];
      });
    }),
  };
}

/** The groups and levels that may be shown. */
function visibleLines(names: { outcome: string; by: string }, comparison: Compared) {
  const line =
    ({ values, titles }: Levels) =>
    (value: string | null, at: number): Line => ({
      ...{ value, at, place: values.indexOf(value) },
      title: titles.get(value) ?? null,
    });
  const groups = comparison.groups.map(line(comparison.by));
  const levels = comparison.levels.map(line(comparison.outcome));
  if (!comparison.isOneSite) return { groups, levels };
  const { cells } = comparison.hidden;
  // Empty sites need no suppression when comparing sites.
  const isTold = (name: string, { place }: Line, isAnyHidden: boolean) =>
    place >= 0 || (name !== LOCATION_OUTCOME_SPEC.name && isAnyHidden);
  return {
    groups: groups.filter((one) => isTold(names.by, one, cells[one.at]?.includes(true) ?? false)),
    levels: levels.filter((one) =>
      isTold(
        names.outcome,
        one,
        cells.some((row) => row[one.at]),
      ),
    ),
  };
}
