/** The site each person in a sample belongs to, for CHAIN and for estimates standardized by site. */
import type { StudyRecord } from '../../study/settings/model.ts';
import type { Category } from '../estimators/outcome.ts';
import type { SitePeople, SitesWithPeople } from '../estimators/standardized.ts';
import { LOCATION } from './catalog.ts';
import type { LoadedOutcome } from './sample.ts';

export type SiteSettings = Pick<StudyRecord, 'siteQuestion' | 'siteSizes'>;

/** Outcomes to load with the sample, so that its sites are known. */
export const siteOutcomes = ({ siteQuestion }: SiteSettings): string[] =>
  siteQuestion === null ? [LOCATION.name] : [siteQuestion, LOCATION.name];

/**
 * The outcome that says which site people belong to: the study's own question if it has any answers, otherwise the
 * interview site.
 */
export function siteOutcome(
  outcomes: readonly LoadedOutcome[],
  { siteQuestion }: SiteSettings,
): (LoadedOutcome & { outcome: Category }) | null {
  const isCategory = (one?: LoadedOutcome): one is LoadedOutcome & { outcome: Category } =>
    one?.outcome.kind === 'CATEGORY' && one.outcome.levels.length > 0;
  const questionOutcome = outcomes.find(({ name }) => name === siteQuestion);
  if (isCategory(questionOutcome)) return questionOutcome;
  const location = outcomes.find(({ name }) => name === LOCATION.name);
  return isCategory(location) ? location : null;
}

/** Null if there is only one site. */
export function sitesOf(outcomes: readonly LoadedOutcome[], settings: SiteSettings): SitesWithPeople | null {
  const outcome = siteOutcome(outcomes, settings)?.outcome;
  if (!outcome || outcome.levels.length < 2) return null;
  const sizes = new Map(settings.siteSizes.map((one) => [one.location, one]));
  const people = outcome.levels.map((level): SitePeople | null => {
    const one = sizes.get(level);
    return one ? { size: one.size, low: one.low ?? one.size, high: one.high ?? one.size } : null;
  });
  return { codes: outcome.codes, people: people.some((one) => one !== null) ? people : null };
}

/** The settings that a run depends on, as one string; empty if there are none. */
export const siteKey = ({ siteQuestion, siteSizes }: SiteSettings): string =>
  siteQuestion === null && siteSizes.length === 0 ? '' : JSON.stringify([siteQuestion, siteSizes]);
