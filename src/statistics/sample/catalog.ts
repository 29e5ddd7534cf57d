/**
 * All outcomes: the countable questions of every version that interviews were held with, the site, and the study's own
 * outcomes. Each specifies where its value is in an interview.
 */
import { calculatedKind } from '../../questionnaires/codebook/calculated-type.ts';
import { mergeChoices, type TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import { unselectedLabel } from '../../questionnaires/codebook/unselected.ts';
import { yesNoChoices } from '../../questionnaires/codebook/yes-no.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import type { QuestionnaireVersion } from '../study-table/versions.ts';
import type { SampledQuestionnaireVersions } from './versions.ts';

type Kind = 'CATEGORY' | 'NUMBER';

export type OutcomeSource =
  | { from: 'LOCATION' }
  /** `choice`: for a question with multiple choices, the choice that is counted. */
  | { from: 'ANSWER'; key: string; choice: string | null }
  | { from: 'COMPUTED'; expression: string };

export interface OutcomeSpec {
  name: string;
  /**
   * The question it belongs to: shared by the outcomes of a question with multiple choices, otherwise the outcome's own
   * name and title.
   */
  question: { name: string; title: TextByLanguage };
  title: TextByLanguage;
  /** It decides who takes part, so everyone in the sample gave the same answers to it. */
  decidesEligibility: boolean;
  /**
   * Everyone who takes part is asked it, and it is not about recruitment: a good outcome to open a results page with.
   */
  coversEveryone: boolean;
  kind: Kind;
  source: OutcomeSource;
}

/** An outcome with more levels is useless, and a table of two such outcomes would fill the memory. */
export const MAX_OUTCOME_LEVELS = 200;

const SITE = { en: 'Site', es: 'Sitio', ar: 'الموقع', ru: 'Пункт', vi: 'Địa điểm', zh: '访谈点' };
export const LOCATION_OUTCOME_SPEC: OutcomeSpec = {
  name: 'location',
  question: { name: 'location', title: SITE },
  title: SITE,
  decidesEligibility: false,
  coversEveryone: false,
  kind: 'CATEGORY',
  source: { from: 'LOCATION' },
};

export function outcomeCatalogOf(
  versions: SampledQuestionnaireVersions,
  { outcomes }: Pick<StudyRecord, 'outcomes'>,
): OutcomeSpec[] {
  const questions = questionsOf(versions);
  const usedNames = new Set([...questions, LOCATION_OUTCOME_SPEC].map(({ name }) => name));
  const computed = outcomes
    .filter((one) => one.fromQuestionnaire !== true)
    // If a question of a later version has taken the name, the question wins.
    .filter(({ name }) => !usedNames.has(name))
    .map(
      ({ name, title, kind, expression }): OutcomeSpec => ({
        name,
        question: { name, title },
        title,
        decidesEligibility: false,
        coversEveryone: true,
        kind,
        source: { from: 'COMPUTED', expression },
      }),
    );
  return [...questions, LOCATION_OUTCOME_SPEC, ...computed];
}

/**
 * The questions of all versions, joined by name. The first version that has a question defines it. Only the questions
 * themselves count, not additional fields next to them. Question names contain no dots, so a dot separates question and
 * choice. Choices that are no longer offered are included, because people selected them.
 */
function questionsOf({ included: askedVersions }: SampledQuestionnaireVersions): OutcomeSpec[] {
  const asking = new Map<string, QuestionnaireVersion[]>();
  for (const version of askedVersions)
    for (const key of version.countables.keys()) asking.set(key, [...(asking.get(key) ?? []), version]);
  return [...asking].flatMap(([key, versions]) =>
    outcomesOf(key, versions as [QuestionnaireVersion, ...QuestionnaireVersion[]]),
  );
}

function outcomesOf(
  key: string,
  versions: readonly [QuestionnaireVersion, ...QuestionnaireVersion[]],
): OutcomeSpec[] {
  const [{ countables, ofAll }] = versions;
  const { title, kind } = countables.get(key)!;
  const name = key === LOCATION_OUTCOME_SPEC.name ? `answer.${key}` : key;
  const decidesEligibility = versions.some(({ deciding }) => deciding.has(key.toLowerCase()));
  const about = {
    question: { name, title },
    decidesEligibility,
    coversEveryone: !decidesEligibility && ofAll.has(key),
  };
  if (kind !== 'SEVERAL')
    return [{ name, ...about, title, kind, source: { from: 'ANSWER', key, choice: null } }];
  const all = versions
    .flatMap((one) => {
      const question = one.countables.get(key);
      return question?.kind === 'SEVERAL' ? [question.choices] : [];
    })
    .reduce(mergeChoices, []);
  // Each choice would be a column of all interviews.
  if (all.length > MAX_OUTCOME_LEVELS) return [];
  return all.map((choice) => ({
    name: `${name}.${choice.value}`,
    ...about,
    title: joined(title, choice.title),
    kind: 'CATEGORY',
    source: { from: 'ANSWER', key, choice: choice.value },
  }));
}

/** A choice that is no longer offered may lack a translation; then we use any of its texts. */
const joined = (title: TextByLanguage, choice: TextByLanguage): TextByLanguage =>
  Object.fromEntries(
    Object.entries(title).map(([language, text]) => {
      const words = choice[language] || choice.en || Object.values(choice).find(Boolean) || '';
      return [language, `${text}: ${words}`];
    }),
  );

/** The titles of an outcome's levels, over all versions that ask it; the first version's wording wins. */
export function levelTitles(
  { source }: OutcomeSpec,
  versions: readonly QuestionnaireVersion[],
): Map<string, TextByLanguage> {
  if (source.from === 'COMPUTED' && calculatedKind(source.expression).is === 'yes or no')
    return new Map(yesNoChoices().map(({ value, text }) => [value, text]));
  if (source.from !== 'ANSWER') return new Map();
  const choices = versions
    .map(({ countables }) => countables.get(source.key)?.choices ?? [])
    .reduce(mergeChoices, []);
  if (source.choice === null) return new Map(choices.map(({ value, title }) => [value, title]));
  const chosen = choices.find(({ value }) => value === source.choice)?.title ?? {};
  return new Map([
    ['1', chosen],
    ['0', unselectedLabel(chosen)],
  ]);
}
