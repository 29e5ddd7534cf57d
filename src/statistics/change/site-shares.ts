/** The site shares to which both samples of a change are standardized. */
import type { CategoryOutcome } from '../estimators/outcome.ts';
import { imputedNetworkSizes } from '../estimators/sample/sample.ts';
import type { SitePopulationSize, SitePopulations } from '../estimators/standardized.ts';
import { rds2Weights, sharesOf } from '../estimators/weights.ts';

export interface SiteShares {
  /** Whether the study's stated sizes are used; otherwise the shares in the earlier sample. */
  ofStudy: boolean;
  /** By site, only for sites with people in both samples. */
  people: ReadonlyMap<string, SitePopulationSize>;
}

export interface StatedSitePopulation {
  location: string;
  size: number;
  low?: number | null | undefined;
  high?: number | null | undefined;
}

/** The stated sizes, or else the shares in the earlier sample; null unless both samples have at least two sites. */
export function siteSharesOf(
  { site: before, reportedSizes }: { site: CategoryOutcome | null; reportedSizes: Float64Array },
  after: CategoryOutcome | null,
  statedSizes: readonly StatedSitePopulation[],
): SiteShares | null {
  if (!before || !after) return null;
  const both = before.levels.filter((site) => after.levels.includes(site));
  if (both.length < 2) return null;
  const stated = statedSizes.filter(({ location }) => both.includes(location));
  if (stated.length > 1) {
    const people = stated.map(
      ({ location, size, low, high }) => [location, { size, low: low ?? size, high: high ?? size }] as const,
    );
    return { ofStudy: true, people: new Map(people) };
  }
  const shares = sharesOf(before, rds2Weights(imputedNetworkSizes(reportedSizes))) ?? [];
  const people = both.map((site) => {
    const size = shares[before.levels.indexOf(site)] ?? 0;
    return [site, { size, low: size, high: size }] as const;
  });
  return { ofStudy: false, people: new Map(people) };
}

export const sitePopulationsOf = (
  site: CategoryOutcome | null,
  people: ReadonlyMap<string, SitePopulationSize> | null,
): SitePopulations | null =>
  site && site.levels.length > 1
    ? { codes: site.codes, people: people && site.levels.map((level) => people.get(level) ?? null) }
    : null;
