/** The short questionnaire offered as a template. */
import { readdirSync } from 'node:fs';
import { Model } from 'survey-core';
import { checkDefinition } from '../../src/questionnaires/definition/definition.ts';
import { deriveSurveyFields } from '../../src/questionnaires/network-size.ts';
import { DEFAULT_FORM_TRANSLATIONS } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { SHORT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/short-questionnaire.ts';
import { checkAnswers } from '../check-answers.ts';

const { definition, networkSizeQuestion, takesPartIf } = SHORT_QUESTIONNAIRE;
const eligible = { consent: 'yes', isAdult: 'yes', sleptOutside: 'yes', interviewedBefore: 'no' };

it('the short questionnaire is a valid definition', () => {
  expect(checkDefinition(definition, networkSizeQuestion, takesPartIf)).toEqual([]);
});

it('has every text in each of its languages, with the same placeholders', () => {
  const languages = ['en', ...Object.keys(DEFAULT_FORM_TRANSLATIONS)];
  const files = readdirSync('questionnaires').filter((file) => file.startsWith('short.'));
  expect(files).toHaveLength(languages.length);
  const texts: Record<string, string | undefined>[] = [];
  const visit = (value: unknown, key: string): void => {
    if (/^(title|description|text|html|completedHtml|\w+Text)$/.test(key))
      texts.push(value as Record<string, string>);
    else if (typeof value === 'object' && value !== null)
      for (const [at, child] of Object.entries(value)) visit(child, Array.isArray(value) ? '' : at);
  };
  for (const [key, value] of Object.entries(definition)) visit(value, key);
  expect(texts.length).toBeGreaterThan(40);
  const places = (words = '') => (words.match(/\{[^}]+\}|<[^>]+>/g) ?? []).sort().join();
  const incomplete = texts.filter((translations) =>
    languages.some(
      (language) =>
        !translations[language]?.trim() || places(translations[language]) !== places(translations.en),
    ),
  );
  expect(incomplete).toEqual([]);
});

it('the network size question asks for mutual acquaintance, eligible places and recent contact', () => {
  const survey = new Model(definition);
  const { title } = survey.getQuestionByName(networkSizeQuestion);
  for (const part of [
    'know by name',
    'know you',
    'outside',
    'shelter',
    '2 weeks',
    'seen in the past 30 days',
  ])
    expect(title).toContain(part);
});

it.each([
  ['a whole interview', { ...eligible, recruiterRelation: 'friend', networkSize: 12 }, 12, true],
  ['a person without a network size', { ...eligible, networkSizeMissing: 'dontKnow' }, null, true],
  ['a person who declines', { consent: 'no' }, null, false],
  ['a person who is too young', { ...eligible, isAdult: 'no' }, null, false],
])('accepts the answers of %s and derives who takes part', (_who, responses, networkSize, isIn) => {
  expect(checkAnswers({ id: 'short', definition }, responses)).toEqual([]);
  const derived = deriveSurveyFields(SHORT_QUESTIONNAIRE, { status: 'COMPLETED', responses }, true);
  expect(derived).toEqual({ networkSize, ...(isIn ? {} : { takesPart: false }) });
});
