/**
 * What a comparison hides: small cells, and as many others as needed so that no small cell can be derived by
 * subtraction.
 */
import { CellSizeCounter } from '../../estimators/sample/cell-size.ts';
import { type AllSitesColumns, type CodedColumn, hiddenCellsBySite } from '../../sample/by-site.ts';
import { LOCATION_OUTCOME_SPEC } from '../../sample/catalog.ts';
import {
  type HiddenCells,
  hiddenInTable,
  hideAllCells,
  hideMoreCellsInLine,
  MAX_CROSSTAB_CELLS,
} from '../../sample/small-cells.ts';
import type { GroupComparisonQuery } from '../schema.ts';

export type OutcomeAndGrouping = Pick<GroupComparisonQuery, 'outcome' | 'by'>;

/** [groups][levels] and the respondents at one site. */
export interface SiteSlice {
  counts: number[][];
  /** For a number: how many people differ from the most common value. */
  apart?: number[][];
  people: { rows: number[]; columns: number[] };
  /**
   * People with only one known answer: `rows` per group, `columns` per level. For a number, `columns` and `apart` are
   * the cell size and the minority among people without a group.
   */
  beside?: { rows: number[]; columns: number[]; apart: number[] };
}

/**
 * Which of the two questions some people were not asked. Those people form an extra line of the table, which could be
 * derived by subtraction.
 */
export interface NotAskedSides {
  outcome: boolean;
  by: boolean;
}

/** The tables of all sites, using the groups and levels of all sites together. */
interface Slices {
  /** Index of the requested site; -1 if it has nobody in the sample. */
  at: number;
  height: number;
  width: number;
  /**
   * [sites] one table per site, and one of all sites together. `slices` is null if there are too many cells to check.
   */
  slices: SiteSlice[] | null;
  whole: SiteSlice;
  /** [sites] people at each site, with or without answers. */
  people: number[];
}

const ALL_ASKED: NotAskedSides = { outcome: false, by: false };

/** Adds a column and a row for people who were not asked. */
function withNotAsked(slice: SiteSlice, { outcome, by }: NotAskedSides): SiteSlice {
  const { people, beside } = slice;
  if (!beside) return slice;
  const more = (table: number[][], row: number[]) => [
    ...table.map((line, at) => (outcome ? [...line, beside.rows[at]!] : line)),
    ...(by ? [outcome ? [...row, 0] : row] : []),
  ];
  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
  return {
    ...slice,
    counts: more(slice.counts, beside.columns),
    ...(slice.apart && { apart: more(slice.apart, beside.apart) }),
    people: {
      rows: by ? [...people.rows, sum(beside.columns)] : people.rows,
      columns: outcome ? [...people.columns, sum(beside.rows)] : people.columns,
    },
  };
}

/** The hidden cells of a comparison; `known`: groups for which the number of answers must be hidden too. */
export interface HiddenComparisonCells extends HiddenCells {
  known: boolean[];
}

function withoutExtension(
  { rows, columns, cells }: HiddenCells,
  { outcome, by }: NotAskedSides,
): HiddenComparisonCells {
  const some = <T>(lines: readonly T[], isExtended: boolean) =>
    isExtended ? lines.slice(0, -1) : [...lines];
  const own = some(cells, by);
  return {
    rows: some(rows, by),
    columns: some(columns, outcome),
    cells: own.map((row) => some(row, outcome)),
    known: own.map((row) => outcome && row.at(-1) === true),
  };
}

export function hiddenInComparison(
  names: OutcomeAndGrouping,
  slice: SiteSlice,
  smallest: number,
  unasked: NotAskedSides = ALL_ASKED,
): HiddenComparisonCells {
  return withoutExtension(hiddenInWhole(names, withNotAsked(slice, unasked), smallest), unasked);
}

/**
 * Hides the same cells in both orientations of the table: what one orientation hides must not be visible in the other.
 */
function hiddenInWhole(
  { outcome, by }: OutcomeAndGrouping,
  { counts, people, apart }: SiteSlice,
  smallest: number,
): HiddenCells {
  if (by === LOCATION_OUTCOME_SPEC.name) return hiddenCellsBySite(counts, people.rows, smallest, apart);
  if (outcome === LOCATION_OUTCOME_SPEC.name)
    return transposeHidden(
      hiddenCellsBySite(transposed(counts, people.columns), people.columns, smallest),
      people.rows,
    );
  if (by <= outcome || apart) return hiddenInTable(counts, smallest, people, { apart });
  const other = { rows: people.columns, columns: people.rows };
  return transposeHidden(hiddenInTable(transposed(counts, people.columns), smallest, other), people.rows);
}

const transposed = <T>(table: readonly (readonly T[])[], columns: readonly unknown[]): T[][] =>
  columns.map((_, at) => table.map((row) => row[at]!));
const transposeHidden = ({ rows, columns, cells }: HiddenCells, width: readonly unknown[]): HiddenCells => ({
  rows: columns,
  columns: rows,
  cells: transposed(cells, width),
});

/** Expects two outcomes; the second one defines the groups. */
export function siteCountsForHiding({ sites, outcomes }: AllSitesColumns, smallest: number): Slices {
  const [outcome, by] = outcomes as [CodedColumn, CodedColumn];
  const [height, width] = [by.levels.length, outcome.levels.length];
  const people = sites.levels.map(() => 0);
  const isTooLarge = smallest > 0 && sites.levels.length * height * width > MAX_CROSSTAB_CELLS;
  const slices = (isTooLarge ? [] : sites.levels).map(() => new GroupCounter(outcome, by));
  const whole = new GroupCounter(outcome, by);
  for (const [row, site] of sites.codes.entries()) {
    people[site]!++;
    whole.add(row);
    slices[site]?.add(row);
  }
  const ended = isTooLarge ? null : slices.map((one) => one.end());
  return { at: sites.at, height, width, slices: ended, whole: whole.end(), people };
}

/** Counts one outcome by the groups of another, row by row: how many people are behind each figure. */
class GroupCounter {
  private readonly outcome: CodedColumn;
  private readonly by: CodedColumn;
  private readonly slice: Required<Omit<SiteSlice, 'apart'>>;
  /** For a number: one per group, and one for all known answers. */
  private readonly cells: CellSizeCounter[];
  private readonly all = new CellSizeCounter();
  /** For a number: people without a known group. */
  private readonly rest = new CellSizeCounter();

  constructor(outcome: CodedColumn, by: CodedColumn) {
    this.outcome = outcome;
    this.by = by;
    this.slice = {
      counts: by.levels.map(() => outcome.levels.map(() => 0)),
      people: { rows: by.levels.map(() => 0), columns: outcome.levels.map(() => 0) },
      beside: { rows: by.levels.map(() => 0), columns: outcome.levels.map(() => 0), apart: [] },
    };
    this.cells = by.levels.map(() => new CellSizeCounter());
  }

  add(row: number): void {
    const { counts, people, beside } = this.slice;
    const { codes, values } = this.outcome;
    const [group, level] = [this.by.codes[row]!, codes[row]!];
    if (group >= 0) people.rows[group]!++;
    if (level >= 0) people.columns[level]!++;
    if (group >= 0 && level >= 0) counts[group]![level]!++;
    else if (group >= 0) beside.rows[group]!++;
    else if (level >= 0) beside.columns[level]!++;
    if (values && group < 0) this.rest.add(values[row]!);
    if (values) this.all.add(values[row]!);
    if (values && group >= 0) this.cells[group]!.add(values[row]!);
  }

  end(): SiteSlice {
    const { people, beside } = this.slice;
    if (!this.outcome.values) return this.slice;
    const columns = people.columns.map(() => this.all.size);
    return {
      counts: this.cells.map(({ size }) => [size]),
      apart: this.cells.map(({ apart }) => [apart]),
      people: { ...people, columns },
      beside: { rows: beside.rows, columns: [this.rest.size], apart: [this.rest.apart] },
    };
  }
}

/** Counts all rows. */
export function crossTabulate(outcome: CodedColumn, by: CodedColumn): SiteSlice {
  const counting = new GroupCounter(outcome, by);
  for (const row of by.codes.keys()) counting.add(row);
  return counting.end();
}

/**
 * The hidden cells of the requested site. Protects each site's table on its own, then each cell across all sites, and
 * repeats until nothing more is hidden. A site hides whatever its own estimates hide, plus whatever the comparison of
 * all sites hides.
 */
export function hiddenCellsAtOneSite(
  names: OutcomeAndGrouping,
  { at, height, width, slices: own, whole, people }: Slices,
  smallest: number,
  unasked: NotAskedSides = ALL_ASKED,
): HiddenComparisonCells {
  if (!own) return { ...hideAllCells(height, width), known: new Array<boolean>(height).fill(true) };
  if (at < 0) return { rows: [], columns: [], cells: [], known: [] };
  const inWhole = hiddenInWhole(names, withNotAsked(whole, unasked), smallest);
  // Sites are the groups or the levels of the whole comparison.
  if (names.by === LOCATION_OUTCOME_SPEC.name || names.outcome === LOCATION_OUTCOME_SPEC.name)
    return withoutExtension(inWhole, unasked);
  const slices = own.map((slice) => withNotAsked(slice, unasked));
  const rows = hiddenCellsBySite(
    own.map((slice) => slice.people.rows),
    people,
    smallest,
  ).cells;
  const columns = hiddenCellsBySite(
    own.map((slice) => slice.people.columns),
    people,
    smallest,
  ).cells;
  const hidden = slices.map((_, site) => ({
    rows: unasked.by ? [...rows[site]!, false] : rows[site]!,
    columns: unasked.outcome ? [...columns[site]!, false] : columns[site]!,
    cells: inWhole.cells,
  }));
  do
    for (const [site, { counts, people: respondents, apart }] of slices.entries())
      hidden[site] = hiddenInTable(counts, smallest, respondents, { hidden: hidden[site]!, apart });
  while (closeOverSites(hidden, slices, inWhole, smallest));
  return withoutExtension(hidden[at]!, unasked);
}

/** Returns whether it hid any further cell. A cell hidden for all sites together is hidden at each site. */
function closeOverSites(
  hidden: HiddenCells[],
  slices: readonly SiteSlice[],
  whole: HiddenCells,
  smallest: number,
): boolean {
  let more = false;
  for (const [group, row] of whole.cells.entries())
    for (const [level, isHidden] of row.entries()) {
      if (isHidden) continue;
      const line = hidden.map(({ cells }) => cells[group]![level]!);
      const counts = slices.map((slice) => slice.counts[group]![level]!);
      const apart = slices.map((slice) => (slice.apart ?? slice.counts)[group]![level]!);
      if (!hideMoreCellsInLine(line, counts, smallest, { apart })) continue;
      for (const [site, one] of line.entries()) hidden[site]!.cells[group]![level] = one;
      more = true;
    }
  return more;
}
