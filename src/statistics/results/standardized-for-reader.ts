/** Estimates standardized by site, as one caller may see them. */
import type { SitePopulationSize } from '../estimators/standardized.ts';
import type { FinishedRun } from '../runs/read.ts';
import type { levelTitlesOf } from '../sample/by-site.ts';
import { hiddenInComparison, type NotAskedSides, type SiteSlice } from './compare/compare-suppression.ts';
import type { OutcomeEstimate } from './estimate.ts';
import type { Estimates } from './schema.ts';
import type { VisibleOutcomeLevels } from './visible-levels.ts';

export interface BySite {
  /** The outcome that says which site people belong to. */
  by: string;
  /** [sites] */
  values: readonly string[];
  titles: ReturnType<typeof levelTitlesOf>;
  people: readonly (SitePopulationSize | null)[];
  /** Sizes of sites with nobody in the sample. */
  elsewhere: readonly { location: string; size: number }[];
  slice: SiteSlice;
  unasked: NotAskedSides;
}

interface StandardizedInput {
  name: string;
  estimate: OutcomeEstimate;
  bySite: BySite | null;
  /** `siteSettingsFingerprint` of the settings. */
  siteSizesKey: string;
}

type Standardized = NonNullable<Estimates['standardised']>;

/** With fewer known answers, a site's figure is unreliable. */
const RELIABLE_ANSWERS = 20;

/** Hides what the comparison of the outcome by site hides, and the standardized figure of any level hidden there. */
export function standardizedForReader(
  { name, estimate, bySite, siteSizesKey }: StandardizedInput,
  view: VisibleOutcomeLevels,
  smallest: number,
  run: FinishedRun | null,
): Standardized | null {
  if (!bySite) return null;
  const { slice, unasked, values, titles, people, elsewhere } = bySite;
  const { rows, cells } = hiddenInComparison({ outcome: name, by: bySite.by }, slice, smallest, unasked);
  const anywhere = estimate.counts.map((_, level) => cells.some((row, site) => rows[site] || row[level]));
  const levels = view.without(anywhere).levels((figure, { value, isHidden }) => {
    const level = run?.sites === siteSizesKey ? run.levels.find((one) => one.value === value) : undefined;
    const { low = null, high = null, standardError = null } = (!isHidden && level?.standardised) || {};
    return { estimate: figure(estimate.standardised), low, high, standardError };
  });
  const sites = values.map((location, site): Standardized['sites'][number] => {
    const isHidden = rows[site]!;
    const own = estimate.bySite[site]!;
    const hidden = estimate.counts.map((_, level) => isHidden || cells[site]![level]!);
    return {
      location,
      title: titles.get(location) ?? null,
      size: people[site]?.size ?? null,
      n: isHidden ? null : own.people,
      levels: view.without(hidden).levels((figure) => ({ rds2: figure(own.figures) })),
      chains: isHidden ? null : own.chains,
      ...(isHidden ? { hidden: true as const } : {}),
    };
  });
  const empty = elsewhere.map(({ location, size }) => ({
    ...{ location, title: null, size, n: 0, chains: 0 },
    levels: view.levels(() => ({ rds2: null })),
  }));
  const notes = values.flatMap((location, site) => {
    const { known: answerCount, chains } = estimate.bySite[site]!;
    const about = titles.get(location)?.en ?? location;
    return rows[site]
      ? []
      : notesOf(about, { known: answerCount, chains, isSized: people[site] !== null }).map((note) => ({
          location,
          ...note,
        }));
  });
  const absent = elsewhere.map(({ location }) => ({ location, ...NO_ANSWERS(location) }));
  return { levels, sites: [...sites, ...empty], notes: [...notes, ...absent] };
}

type Note = Omit<Standardized['notes'][number], 'location'>;

const NO_ANSWERS = (site: string): Note => ({
  code: 'NO_ANSWERS',
  message: `No one who belongs to ${site} answered, so the standardized estimate leaves it out.`,
});

function notesOf(site: string, of: { known: number; chains: number; isSized: boolean }): Note[] {
  if (!of.isSized)
    return [
      {
        code: 'NO_SIZE',
        message: `Nobody entered how many people belong to ${site}, so the standardized estimate leaves it out.`,
      },
    ];
  if (of.known === 0) return [NO_ANSWERS(site)];
  const few: Note = {
    code: 'FEW_ANSWERS',
    message: `The figure for ${site} is based on fewer than ${RELIABLE_ANSWERS} answers.`,
  };
  const one: Note = { code: 'ONE_CHAIN', message: `The figure for ${site} is based on a single chain.` };
  return [...(of.known < RELIABLE_ANSWERS ? [few] : []), ...(of.chains === 1 ? [one] : [])];
}
