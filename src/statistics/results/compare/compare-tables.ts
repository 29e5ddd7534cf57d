/** The table of a comparison, with its hidden cells. */
import type { CategoryOutcome, OutcomeAnswers } from '../../estimators/outcome.ts';
import { imputedNetworkSizes } from '../../estimators/sample/sample.ts';
import { rds2Weights } from '../../estimators/weights.ts';
import { type AllSitesColumns, codedColumnOf } from '../../sample/by-site.ts';
import type { TableTotals } from '../../sample/small-cells.ts';
import {
  crossTabulate,
  type HiddenComparisonCells,
  hiddenCellsAtOneSite,
  hiddenInComparison,
  type NotAskedSides,
  type OutcomeAndGrouping,
  siteCountsForHiding,
} from './compare-suppression.ts';

interface CompareJob {
  names: OutcomeAndGrouping;
  reportedSizes: Float64Array;
  outcome: OutcomeAnswers;
  groups: CategoryOutcome;
  /** The data of all sites, if the sample is a single site's and cells may need to be hidden. */
  atAllSites: AllSitesColumns | null;
  /** Whether some people, here or at another site, were not asked. */
  unasked: NotAskedSides;
  smallest: number;
}

export interface GroupComparisonTable {
  /** People per group and per level, whether or not their other answer is known. */
  people: TableTotals;
  /** [groups][levels] */
  cells: Cell[][];
  /** Indexed by `groups` and `levels`, which may include some that nobody in the sample gave. */
  hidden: HiddenComparisonCells;
  groups: (string | null)[];
  levels: (string | null)[];
}

interface Cell {
  count: number;
  mean: number | null;
  rds2: number | null;
}

export function tabulateOutcomeByGroup(job: CompareJob): GroupComparisonTable {
  const { names, outcome, groups, atAllSites, smallest, unasked } = job;
  const cells = cellsOf(job);
  if (atAllSites) {
    const [of, by] = atAllSites.outcomes as [
      AllSitesColumns['outcomes'][number],
      AllSitesColumns['outcomes'][number],
    ];
    const hidden = hiddenCellsAtOneSite(names, siteCountsForHiding(atAllSites, smallest), smallest, unasked);
    return { ...cells, hidden, groups: by.levels, levels: of.levels };
  }
  const coded = codedColumnOf(outcome);
  return {
    ...cells,
    hidden: hiddenInComparison(names, crossTabulate(coded, codedColumnOf(groups)), smallest, unasked),
    groups: [...groups.levels],
    levels: [...coded.levels],
  };
}

function cellsOf({
  reportedSizes,
  outcome,
  groups,
}: CompareJob): Pick<GroupComparisonTable, 'people' | 'cells'> {
  const weights = rds2Weights(imputedNetworkSizes(reportedSizes));
  const width = outcome.kind === 'CATEGORY' ? outcome.levels.length : 1;
  const people = { rows: groups.levels.map(() => 0), columns: new Array<number>(width).fill(0) };
  const sums = groups.levels.map(() =>
    Array.from({ length: width }, () => ({ count: 0, weight: 0, value: 0, weighted: 0 })),
  );
  for (let i = 0; i < weights.length; i++) {
    const group = groups.codes[i]!;
    const value = outcome.kind === 'CATEGORY' ? 1 : outcome.values[i]!;
    const level = outcome.kind === 'CATEGORY' ? outcome.codes[i]! : Number.isNaN(value) ? -1 : 0;
    if (group >= 0) people.rows[group]!++;
    if (level >= 0) people.columns[level]!++;
    if (group < 0 || level < 0) continue;
    const cell = sums[group]![level]!;
    cell.count++;
    cell.weight += weights[i]!;
    cell.value += value;
    cell.weighted += weights[i]! * value;
  }
  const cells = sums.map((row) => {
    // A share is out of everyone in the group who answered; a mean is of those people's values.
    const answerCount = row.reduce((sum, { count }) => sum + count, 0);
    const weight = row.reduce((sum, one) => sum + one.weight, 0);
    return row.map(({ count, value, weighted }) => ({
      count,
      mean: answerCount > 0 ? value / answerCount : null,
      rds2: weight > 0 ? weighted / weight : null,
    }));
  });
  return { people, cells };
}
