/**
 * Requesting one site after another and subtracting them from the total must not reveal what is hidden at a site. So a
 * site's levels are hidden according to the table of all sites by all levels, which is the same for every site.
 */
import type { TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import { byCodePoint, type OutcomeAnswers } from '../estimators/outcome.ts';
import { CellSizeCounter } from '../estimators/sample/cell-size.ts';
import { LOCATION_OUTCOME_SPEC } from './catalog.ts';
import type { LoadedOutcome, TableSample } from './sample.ts';
import { type CellCounts, type HiddenCells, hiddenInTable } from './small-cells.ts';

export interface SiteTable {
  /** Row of the requested site; -1 if it has nobody in the sample. */
  at: number;
  /** All levels that occur at any site, by code point; a single null for a number. */
  levels: (string | null)[];
  /** [sites][levels] known answers; for a number, how many people are behind its mean. */
  counts: number[][];
  /** [sites][1] for a number: how many people differ from the most common value; earlier versions did not store it. */
  apart?: number[][];
  /** [sites] */
  people: number[];
}

/** The number of answers at a site is always shown, even if everything else is hidden: it is the sample size. */
export function hiddenCellsBySite(
  counts: CellCounts,
  people: readonly number[],
  smallest: number,
  apart?: CellCounts,
): HiddenCells {
  const columns = (counts[0] ?? []).map((_, level) => counts.reduce((sum, row) => sum + row[level]!, 0));
  return hiddenInTable(counts, smallest, { rows: people, columns }, { areRowsPublic: true, apart });
}

/** The levels hidden at a site, including hidden levels that nobody there gave. */
export function hiddenLevelsAtSite({ at, levels, counts, people, apart }: SiteTable, smallest: number) {
  const minorityCounts = levels[0] === null ? (apart ?? counts.map(() => [0])) : undefined;
  // With no minimum cell size, nothing is hidden, and going through a large table takes long.
  const row =
    smallest > 0 ? hiddenCellsBySite(counts, people, smallest, minorityCounts).cells[at] : undefined;
  return new Set(levels.filter((_, level) => row?.[level]));
}

/** The parts of a sample that are needed. */
type SampleAtSite = Pick<TableSample, 'recruiters' | 'outcomes' | 'elsewhere' | 'site'>;

/** One table per outcome of the sample; null if there is no data of other sites, and for the site outcome itself. */
export function outcomeTablesBySite(sample: SampleAtSite): (SiteTable | null)[] {
  const all = columnsOfAllSites(sample);
  return sample.outcomes.map(({ name }, at) =>
    all === null || name === LOCATION_OUTCOME_SPEC.name ? null : tableOf(all.sites, all.outcomes[at]!),
  );
}

function tableOf(sites: AllSitesColumns['sites'], { levels, codes, values }: CodedColumn): SiteTable {
  const counts = sites.levels.map(() => levels.map(() => 0));
  const people = sites.levels.map(() => 0);
  for (const [row, site] of sites.codes.entries()) {
    const level = codes[row]!;
    people[site]!++;
    if (level >= 0) counts[site]![level]!++;
  }
  if (!values) return { at: sites.at, levels, counts, people };
  const cells = sites.levels.map(() => new CellSizeCounter());
  for (const [row, site] of sites.codes.entries()) cells[site]!.add(values[row]!);
  return {
    at: sites.at,
    levels,
    counts: cells.map(({ size }) => [size]),
    apart: cells.map(({ apart }) => [apart]),
    people,
  };
}

/** The titles of levels that occur at the sample's site or elsewhere; empty for a number. */
export function levelTitlesOf(
  here: LoadedOutcome,
  elsewhere?: LoadedOutcome,
): Map<string | null, TextByLanguage | null> {
  const titles = new Map<string | null, TextByLanguage | null>();
  for (const { outcome, levelTitles } of elsewhere ? [elsewhere, here] : [here])
    if (outcome.kind === 'CATEGORY')
      for (const [at, level] of outcome.levels.entries())
        titles.set(level, levelTitles[at] ?? titles.get(level) ?? null);
  return titles;
}

/** [rows] index of each row's level in `levels`, or -1. */
export interface CodedColumn {
  levels: (string | null)[];
  codes: Int32Array;
  /** [rows] only for a number. */
  values?: Float64Array;
}

export interface AllSitesColumns {
  sites: CodedColumn & { at: number };
  outcomes: CodedColumn[];
}

/**
 * All sites together: first the rows of the sample, then those of the other sites; null if there is no data of other
 * sites.
 */
export function columnsOfAllSites({
  recruiters,
  outcomes,
  elsewhere,
  site,
}: SampleAtSite): AllSitesColumns | null {
  if (!elsewhere || site === null) return null;
  const n = recruiters.length;
  const levels = n > 0 ? [site] : [];
  const here: OutcomeAnswers = { kind: 'CATEGORY', levels, codes: new Int32Array(n) };
  const sites = joined(here, elsewhere.sites);
  return {
    sites: { ...sites, at: sites.levels.indexOf(site) },
    outcomes: outcomes.map(({ outcome }, at) => joined(outcome, elsewhere.outcomes[at]!.outcome)),
  };
}

/** A number has a single level, null, for known values. */
export const codedColumnOf = (outcome: OutcomeAnswers): CodedColumn =>
  outcome.kind === 'CATEGORY'
    ? { levels: [...outcome.levels], codes: outcome.codes }
    : {
        levels: [null],
        codes: Int32Array.from(outcome.values, (value) => (Number.isNaN(value) ? -1 : 0)),
        values: outcome.values,
      };

function joined(here: OutcomeAnswers, there: OutcomeAnswers): CodedColumn {
  const both = [codedColumnOf(here), codedColumnOf(there)];
  const levels = [...new Set(both.flatMap((one) => one.levels))].sort((a, b) =>
    byCodePoint(a ?? '', b ?? ''),
  );
  const at = new Map(levels.map((level, place) => [level, place]));
  const codes = new Int32Array(both.reduce((sum, one) => sum + one.codes.length, 0));
  let row = 0;
  for (const one of both) {
    const places = one.levels.map((level) => at.get(level)!);
    for (const code of one.codes) codes[row++] = code < 0 ? -1 : places[code]!;
  }
  if (here.kind === 'CATEGORY' || there.kind === 'CATEGORY') return { levels, codes };
  const values = new Float64Array(codes.length);
  values.set(here.values);
  values.set(there.values, here.values.length);
  return { levels, codes, values };
}
