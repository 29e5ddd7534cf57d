/** Detects what makes two rounds hard to compare. */
import type { TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import type { OutcomeComparison } from './schema.ts';

type Finding = OutcomeComparison['comparability'][number];

/** What is compared, for one round. */
export interface RoundComparisonFacts {
  title: TextByLanguage;
  /** Values that can be chosen; empty for a number. */
  choices: readonly string[];
  sizeQuestion: TextByLanguage | null;
  /** The eligibility rule of each version, as text. */
  eligibility: readonly string[];
  /** Shares of the sample by site. */
  sites: ReadonlyMap<string, number>;
  couponsPerSurvey: number;
  /** The incentives as text. */
  incentives: string;
  /** Null if not stated. */
  mode: StudyRecord['interviewMode'];
  /** A date. */
  startsOn: string;
}

const SITE_SHIFT = 0.1;
const SEASON_MONTHS = 1;

export function comparabilityOf(from: RoundComparisonFacts, to: RoundComparisonFacts): Finding[] {
  const findings: (Finding | null)[] = [
    findingIf('QUESTION_TEXT', !areSameTexts(from.title, to.title), 'The question was worded differently.'),
    findingIf('CHOICES', !areSame(from.choices, to.choices), 'Other answers could be chosen.'),
    findingIf(
      'ELIGIBILITY',
      !areSame(from.eligibility, to.eligibility),
      'The rule for who could take part was another one.',
    ),
    findingIf(
      'SIZE_QUESTION',
      !areSameTexts(from.sizeQuestion, to.sizeQuestion),
      'The question for the network size was worded differently, and all weights depend on it.',
    ),
    sitesOf(from, to),
    findingIf(
      'COUPONS',
      from.couponsPerSurvey !== to.couponsPerSurvey,
      `Participants got ${from.couponsPerSurvey} coupons, and then ${to.couponsPerSurvey}.`,
    ),
    findingIf('INCENTIVES', from.incentives !== to.incentives, 'The incentives were others.'),
    seasonOf(from, to),
    modeOf(from, to),
  ];
  return findings.filter((one) => one !== null);
}

const findingIf = (code: Finding['code'], does: boolean, message: string): Finding | null =>
  does ? { code, message } : null;

const areSame = (a: readonly string[], b: readonly string[]) =>
  JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());

/** Compared in the languages that both have. */
function areSameTexts(a: TextByLanguage | null, b: TextByLanguage | null): boolean {
  if (!a || !b) return a === b;
  return Object.keys(a).every((language) => b[language] === undefined || a[language] === b[language]);
}

/** How much the mix of sites has changed: half the sum of absolute differences between shares. */
function sitesOf(from: RoundComparisonFacts, to: RoundComparisonFacts): Finding | null {
  const sites = new Set([...from.sites.keys(), ...to.sites.keys()]);
  let shift = 0;
  for (const site of sites) shift += Math.abs((to.sites.get(site) ?? 0) - (from.sites.get(site) ?? 0)) / 2;
  return findingIf(
    'SITES',
    shift > SITE_SHIFT,
    `${Math.round(100 * shift)}% of the sample moved to other sites. Look at the change that is standardized to sites.`,
  );
}

const MODES = {
  IN_PERSON: 'face to face',
  PHONE: 'by phone',
  SELF: 'filled in by the person alone',
  MIXED: 'in several ways',
};

function modeOf({ mode: from }: RoundComparisonFacts, { mode: to }: RoundComparisonFacts): Finding | null {
  if (from === null || to === null) return null;
  return findingIf('MODE', from !== to, `Interviews were held ${MODES[from]}, and then ${MODES[to]}.`);
}

function seasonOf(from: RoundComparisonFacts, to: RoundComparisonFacts): Finding | null {
  const month = (day: string) => Number(day.slice(5, 7));
  const apart = Math.abs(month(from.startsOn) - month(to.startsOn));
  const months = Math.min(apart, 12 - apart);
  return findingIf('SEASON', months > SEASON_MONTHS, `The rounds began ${months} months of the year apart.`);
}
