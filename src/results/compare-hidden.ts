/** What a comparison hides: small cells, and so many others that none is found by subtraction. */
import { type Coded, type Everywhere, hiddenBySite } from '../sample/by-site.ts';
import { LOCATION } from '../sample/catalogue.ts';
import {
  allOf,
  close,
  type Hidden,
  hiddenInTable,
  MOST_CELLS,
  type Table,
  type Totals,
} from '../sample/small-cells.ts';
import type { CompareQuery } from './schema.ts';

export type ComparedNames = Pick<CompareQuery, 'outcome' | 'by'>;

/** [groups][levels] and who was asked at one site. */
interface Slice {
  counts: number[][];
  people: { rows: number[]; columns: number[] };
}

/** All sites by the groups and levels of all of them. */
interface Slices {
  /** The one that was asked for; -1 where nobody of the sample was. */
  at: number;
  height: number;
  width: number;
  /** [sites]; null where they are too many to look through. */
  slices: Slice[] | null;
  /** [sites] people, whether or not they gave either answer. */
  people: number[];
}

/** The same cells whichever of the two is asked by the other: what one way hides the other must not tell. */
export function hiddenBetween(
  { outcome, by }: ComparedNames,
  counts: Table,
  people: Totals,
  smallest: number,
): Hidden {
  if (by === LOCATION.name) return hiddenBySite(counts, people.rows, smallest);
  if (outcome === LOCATION.name)
    return turned(hiddenBySite(transposed(counts, people.columns), people.columns, smallest), people.rows);
  if (by <= outcome) return hiddenInTable(counts, smallest, people);
  const other = { rows: people.columns, columns: people.rows };
  return turned(hiddenInTable(transposed(counts, people.columns), smallest, other), people.rows);
}

const transposed = <T>(table: readonly (readonly T[])[], columns: readonly unknown[]): T[][] =>
  columns.map((_, at) => table.map((row) => row[at]!));
const turned = ({ rows, columns, cells }: Hidden, width: readonly unknown[]): Hidden => ({
  rows: columns,
  columns: rows,
  cells: transposed(cells, width),
});

/** Of two outcomes, the second one in groups. */
export function slicesOf({ sites, outcomes }: Everywhere, smallest: number): Slices {
  const [outcome, by] = outcomes as [Coded, Coded];
  const [height, width] = [by.levels.length, outcome.levels.length];
  const people = sites.levels.map(() => 0);
  if (smallest > 0 && sites.levels.length * height * width > MOST_CELLS)
    return { at: sites.at, height, width, slices: null, people };
  const slices = sites.levels.map(() => emptySlice(outcome, by));
  for (const [row, site] of sites.codes.entries()) {
    const { counts, people: asked } = slices[site]!;
    const [group, level] = [by.codes[row]!, outcome.codes[row]!];
    people[site]!++;
    if (group >= 0) asked.rows[group]!++;
    if (level >= 0) asked.columns[level]!++;
    if (group >= 0 && level >= 0) counts[group]![level]!++;
  }
  return { at: sites.at, height, width, slices, people };
}

const emptySlice = (outcome: Coded, by: Coded): Slice => ({
  counts: by.levels.map(() => outcome.levels.map(() => 0)),
  people: { rows: by.levels.map(() => 0), columns: outcome.levels.map(() => 0) },
});

/**
 * Of the site that was asked for. Each site's table is closed by itself, then each cell over all sites, until neither
 * hides more: a site hides what the estimates of each outcome there hide, and what the comparison of all sites does.
 */
export function hiddenAtOneSite(
  asked: ComparedNames,
  { at, height, width, slices, people }: Slices,
  smallest: number,
): Hidden {
  if (!slices) return allOf(height, width);
  if (at < 0) return { rows: [], columns: [], cells: [] };
  const whole = wholeOf(slices, height, width);
  const inWhole = hiddenBetween(asked, whole.counts, whole.people, smallest);
  // Then a site is a group of the whole comparison, or one of its levels.
  if (asked.by === LOCATION.name || asked.outcome === LOCATION.name) return inWhole;
  const rows = hiddenBySite(
    slices.map((slice) => slice.people.rows),
    people,
    smallest,
  ).cells;
  const columns = hiddenBySite(
    slices.map((slice) => slice.people.columns),
    people,
    smallest,
  ).cells;
  const hidden = slices.map((_, site) => ({
    rows: rows[site]!,
    columns: columns[site]!,
    cells: inWhole.cells,
  }));
  do
    for (const [site, { counts, people: asked_ }] of slices.entries())
      hidden[site] = hiddenInTable(counts, smallest, asked_, { hidden: hidden[site]! });
  while (closeOverSites(hidden, slices, inWhole, smallest));
  return hidden[at]!;
}

/** Whether any further cell was hidden. What all sites together hide is hidden at each. */
function closeOverSites(
  hidden: Hidden[],
  slices: readonly Slice[],
  whole: Hidden,
  smallest: number,
): boolean {
  let more = false;
  for (const [group, row] of whole.cells.entries())
    for (const [level, isHidden] of row.entries()) {
      if (isHidden) continue;
      const line = hidden.map(({ cells }) => cells[group]![level]!);
      const counts = slices.map((slice) => slice.counts[group]![level]!);
      if (!close(line, counts, smallest)) continue;
      for (const [site, one] of line.entries()) hidden[site]!.cells[group]![level] = one;
      more = true;
    }
  return more;
}

function wholeOf(slices: readonly Slice[], height: number, width: number): Slice {
  const sum = (of: (slice: Slice) => number) => slices.reduce((all, slice) => all + of(slice), 0);
  const places = (length: number) => Array.from({ length }, (_, at) => at);
  return {
    counts: places(height).map((a) => places(width).map((b) => sum(({ counts }) => counts[a]![b]!))),
    people: {
      rows: places(height).map((a) => sum(({ people }) => people.rows[a]!)),
      columns: places(width).map((b) => sum(({ people }) => people.columns[b]!)),
    },
  };
}
