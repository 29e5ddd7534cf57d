/** The site each person in a sample belongs to, for CHAIN and for estimates standardized by site. */
import type { StudyRecord } from '../../study/settings/model.ts';
import type { CategoryOutcome } from '../estimators/outcome.ts';
import type { SitePopulationSize, SitePopulations } from '../estimators/standardized.ts';
import { LOCATION_OUTCOME_SPEC } from './catalog.ts';
import type { LoadedOutcome } from './sample.ts';

export type SitePopulationSettings = Pick<StudyRecord, 'siteQuestion' | 'siteSizes'>;

/** Outcomes to load with the sample, so that its sites are known. */
export const siteMembershipOutcomeNames = ({ siteQuestion }: SitePopulationSettings): string[] =>
  siteQuestion === null ? [LOCATION_OUTCOME_SPEC.name] : [siteQuestion, LOCATION_OUTCOME_SPEC.name];

/**
 * The outcome that says which site people belong to: the study's own question if it has any answers, otherwise the
 * interview site.
 */
export function siteMembershipOutcome(
  outcomes: readonly LoadedOutcome[],
  { siteQuestion }: SitePopulationSettings,
): (LoadedOutcome & { outcome: CategoryOutcome }) | null {
  const isCategory = (one?: LoadedOutcome): one is LoadedOutcome & { outcome: CategoryOutcome } =>
    one?.outcome.kind === 'CATEGORY' && one.outcome.levels.length > 0;
  const questionOutcome = outcomes.find(({ name }) => name === siteQuestion);
  if (isCategory(questionOutcome)) return questionOutcome;
  const location = outcomes.find(({ name }) => name === LOCATION_OUTCOME_SPEC.name);
  return isCategory(location) ? location : null;
}

/** Null if there is only one site. */
export function sitesWithPeopleOf(
  outcomes: readonly LoadedOutcome[],
  settings: SitePopulationSettings,
): SitePopulations | null {
  const outcome = siteMembershipOutcome(outcomes, settings)?.outcome;
  if (!outcome || outcome.levels.length < 2) return null;
  const sizes = new Map(settings.siteSizes.map((one) => [one.location, one]));
  const people = outcome.levels.map((level): SitePopulationSize | null => {
    const one = sizes.get(level);
    return one ? { size: one.size, low: one.low ?? one.size, high: one.high ?? one.size } : null;
  });
  return { codes: outcome.codes, people: people.some((one) => one !== null) ? people : null };
}

/** The settings that a run depends on, as one string; empty if there are none. */
export const siteSettingsFingerprint = ({ siteQuestion, siteSizes }: SitePopulationSettings): string =>
  siteQuestion === null && siteSizes.length === 0 ? '' : JSON.stringify([siteQuestion, siteSizes]);
