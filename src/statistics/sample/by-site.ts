/**
 * Someone who requests one site after another and subtracts them from the whole must not find what is hidden at one of
 * them. So a site's levels are hidden as in the table of all sites by all levels, which is the same for each site.
 */
import type { Texts } from '../../questionnaires/codebook/countable.ts';
import { byCodePoint, type Outcome } from '../estimators/outcome.ts';
import { CellSize } from '../estimators/sample/cell-size.ts';
import { LOCATION } from './catalogue.ts';
import type { LoadedOutcome, TableSample } from './sample.ts';
import { type CellCounts, type HiddenCells, hiddenInTable } from './small-cells.ts';

export interface SiteTable {
  /** The row of the site that was asked for; -1 where nobody of the sample was. */
  at: number;
  /** All that occur at any site, by code point; one null of a number. */
  levels: (string | null)[];
  /** [sites][levels] known answers; of a number how many people stand behind its mean. */
  counts: number[][];
  /** [sites][1] of a number: how many differ from the commonest value; earlier versions stored none. */
  apart?: number[][];
  /** [sites] */
  people: number[];
}

/** How many of a site gave an answer is told, hidden or not: it is the size of what one asks about. */
export function hiddenBySite(
  counts: CellCounts,
  people: readonly number[],
  smallest: number,
  apart?: CellCounts,
): HiddenCells {
  const columns = (counts[0] ?? []).map((_, level) => counts.reduce((sum, row) => sum + row[level]!, 0));
  return hiddenInTable(counts, smallest, { rows: people, columns }, { areRowsTold: true, apart });
}

/** The levels that a site's answer hides, whether or not anyone there gave them. */
export function hiddenAtSite({ at, levels, counts, people, apart }: SiteTable, smallest: number) {
  const minorityCounts = levels[0] === null ? (apart ?? counts.map(() => [0])) : undefined;
  // Without a smallest cell nothing is hidden, and a large table takes long to go through.
  const row = smallest > 0 ? hiddenBySite(counts, people, smallest, minorityCounts).cells[at] : undefined;
  return new Set(levels.filter((_, level) => row?.[level]));
}

/** What is needed of a sample. */
type AtSite = Pick<TableSample, 'recruiters' | 'outcomes' | 'elsewhere' | 'site'>;

/** Of each outcome of the sample; null where nothing is known of other sites, and of the site itself. */
export function siteTablesOf(sample: AtSite): (SiteTable | null)[] {
  const all = withOtherSites(sample);
  return sample.outcomes.map(({ name }, at) =>
    all === null || name === LOCATION.name ? null : tableOf(all.sites, all.outcomes[at]!),
  );
}

function tableOf(sites: AllSites['sites'], { levels, codes, values }: CodedColumn): SiteTable {
  const counts = sites.levels.map(() => levels.map(() => 0));
  const people = sites.levels.map(() => 0);
  for (const [row, site] of sites.codes.entries()) {
    const level = codes[row]!;
    people[site]!++;
    if (level >= 0) counts[site]![level]!++;
  }
  if (!values) return { at: sites.at, levels, counts, people };
  const cells = sites.levels.map(() => new CellSize());
  for (const [row, site] of sites.codes.entries()) cells[site]!.add(values[row]!);
  return {
    at: sites.at,
    levels,
    counts: cells.map(({ size }) => [size]),
    apart: cells.map(({ apart }) => [apart]),
    people,
  };
}

/** What the levels that occur at the sample's site or elsewhere are called; nothing of a number. */
export function titlesOf(here: LoadedOutcome, elsewhere?: LoadedOutcome): Map<string | null, Texts | null> {
  const titles = new Map<string | null, Texts | null>();
  for (const { outcome, levelTitles } of elsewhere ? [elsewhere, here] : [here])
    if (outcome.kind === 'CATEGORY')
      for (const [at, level] of outcome.levels.entries())
        titles.set(level, levelTitles[at] ?? titles.get(level) ?? null);
  return titles;
}

/** [rows] the place of each one's level among `levels`, or -1. */
export interface CodedColumn {
  levels: (string | null)[];
  codes: Int32Array;
  /** [rows] of a number. */
  values?: Float64Array;
}

export interface AllSites {
  sites: CodedColumn & { at: number };
  outcomes: CodedColumn[];
}

/** All sites together: first the rows of the sample itself, then those of elsewhere; null where it knows of none. */
export function withOtherSites({ recruiters, outcomes, elsewhere, site }: AtSite): AllSites | null {
  if (!elsewhere || site === null) return null;
  const n = recruiters.length;
  const levels = n > 0 ? [site] : [];
  const here: Outcome = { kind: 'CATEGORY', levels, codes: new Int32Array(n) };
  const sites = joined(here, elsewhere.sites);
  return {
    sites: { ...sites, at: sites.levels.indexOf(site) },
    outcomes: outcomes.map(({ outcome }, at) => joined(outcome, elsewhere.outcomes[at]!.outcome)),
  };
}

/** A number is known or not. */
export const codedOf = (outcome: Outcome): CodedColumn =>
  outcome.kind === 'CATEGORY'
    ? { levels: [...outcome.levels], codes: outcome.codes }
    : {
        levels: [null],
        codes: Int32Array.from(outcome.values, (value) => (Number.isNaN(value) ? -1 : 0)),
        values: outcome.values,
      };

function joined(here: Outcome, there: Outcome): CodedColumn {
  const both = [codedOf(here), codedOf(there)];
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
