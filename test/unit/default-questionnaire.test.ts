import { Model } from 'survey-core';
import { checkAnswers, networkSizeOf } from '../../src/questionnaires/answers.ts';
import {
  DEFAULT_QUESTIONNAIRE,
  EXAMPLE_RESPONSES,
  MINIMAL_RESPONSES,
} from '../../src/questionnaires/default.ts';
import { checkDefinition } from '../../src/questionnaires/definition.ts';
import { compilePlainRules } from '../../src/questionnaires/plain-rules.ts';

const { definition, networkSizeQuestion } = DEFAULT_QUESTIONNAIRE;
const questionnaire = { id: 'default', definition };
const check = (responses: Record<string, unknown>) => checkAnswers(questionnaire, responses);
const { networkSize: _networkSize, ...WITHOUT_NETWORK } = MINIMAL_RESPONSES;

/** What an interviewer's device would send: the interview played in the form, page by page. */
function playInForm(responses: Record<string, unknown>): { sent: Record<string, unknown>; html: string } {
  const survey = new Model(definition);
  for (let page = 0; page < 20 && survey.state !== 'completed'; page += 1) {
    for (const question of survey.currentPage.questions) {
      if (question.isVisible && question.name in responses) question.value = responses[question.name];
      const comment = responses[`${question.name}-Comment`];
      if (typeof comment === 'string') question.comment = comment;
    }
    if (survey.isLastPage) survey.completeLastPage();
    else survey.nextPage();
  }
  expect(survey.state).toBe('completed');
  return { sent: survey.data as Record<string, unknown>, html: survey.processedCompletedHtml };
}

const TEXT_PROPERTIES = /^(title|description|text|html|completedHtml|\w+Text|\w+Placeholder)$/;

function textsOf(value: unknown, path = ''): { path: string; text: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) =>
    TEXT_PROPERTIES.test(key) ? [{ path: `${path}.${key}`, text: child }] : textsOf(child, `${path}.${key}`),
  );
}

describe('the default questionnaire', () => {
  it('passes the check of definitions', () => {
    expect(checkDefinition(definition, networkSizeQuestion)).toEqual([]);
  });

  it('is judged by the plain rules, which are quick', () => {
    expect(compilePlainRules(definition)?.(EXAMPLE_RESPONSES)).toBe(true);
    expect(compilePlainRules(definition)?.(MINIMAL_RESPONSES)).toBe(true);
  });

  it('says every text in English and in Spanish', () => {
    const texts = textsOf(definition);
    expect(texts.length).toBeGreaterThan(200);
    const incomplete = texts.filter(({ text }) => {
      const both = text as { en?: string; es?: string };
      return !both.en?.trim() || !both.es?.trim();
    });
    expect(incomplete).toEqual([]);
  });

  it('gives every question a title and every choice a text', () => {
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const one = value as Record<string, unknown>;
      if (typeof one.type === 'string' && !['html', 'expression'].includes(one.type))
        expect(one).toHaveProperty('title');
      if (Array.isArray(one.choices)) for (const item of one.choices) expect(item).toHaveProperty('text');
      for (const child of Object.values(one)) visit(child);
    };
    visit(definition);
  });

  it('shows Spanish texts in Spanish', () => {
    const survey = new Model(definition);
    survey.locale = 'es';
    expect(survey.getQuestionByName('consent').title).toBe('¿Acepta usted participar?');
  });

  it('asks 30 to 35 questions on 8 pages, and requires only consent, eligibility and the network size', () => {
    const survey = new Model(definition);
    survey.data = MINIMAL_RESPONSES;
    const questions = survey.getAllQuestions().filter((question) => question.hasInput);
    expect(survey.visiblePages).toHaveLength(8);
    expect(questions.length).toBeGreaterThanOrEqual(30);
    expect(questions.length).toBeLessThanOrEqual(35);
    const required = questions.filter((question) => question.isRequired || question.requiredIf);
    expect(required.map((question) => question.name)).toEqual([
      'consent',
      'isAdult',
      'sleptOutside',
      'interviewedBefore',
      'networkSize',
    ]);
  });

  it('offers a way not to answer to every question on health', () => {
    const survey = new Model(definition);
    const health = survey.getPageByName('healthPage').questions.filter((question) => question.hasInput);
    expect(health.length).toBeGreaterThan(4);
    for (const question of health) expect(question).toHaveProperty('showRefuseItem', true);
  });

  it.each([
    ['an interview in full', EXAMPLE_RESPONSES, 'You have helped a lot'],
    ['the least of an interview', MINIMAL_RESPONSES, 'You have helped a lot'],
    ['a person who declines', { consent: 'no' }, 'That is fine'],
    [
      'a person who is too young',
      { consent: 'yes', isAdult: 'no', sleptOutside: 'yes', interviewedBefore: 'no' },
      'This time the interview is for adults',
    ],
    [
      'a person who has been interviewed before',
      { consent: 'yes', isAdult: 'yes', sleptOutside: 'yes', interviewedBefore: 'yes' },
      'This time the interview is for adults',
    ],
    [
      'a person who can not tell the network size',
      { ...WITHOUT_NETWORK, networkSizeMissing: 'dontKnow' },
      'You have helped a lot',
    ],
  ])('takes what the form sends for %s', (_who, responses, closing) => {
    const { sent, html } = playInForm(responses);
    expect(sent).toEqual(responses);
    expect(html).toContain(closing);
    expect(check(sent)).toEqual([]);
  });

  it('takes no further answers from a person who declines', () => {
    expect(check({ consent: 'no', veteran: 'yes' })).toEqual([
      { path: 'responses.veteran', message: expect.stringContaining('not shown') as string },
    ]);
  });

  it.each([0, 1, 100, 101, 10_000])('lets a network size of %d stand', (networkSize) => {
    expect(check({ ...MINIMAL_RESPONSES, networkSize })).toEqual([]);
    expect(networkSizeOf({ networkSizeQuestion }, { networkSize })).toBe(networkSize);
  });

  it.each([
    [0, 'You said 0'],
    [101, 'more than 100'],
  ])('asks once more about a network size of %d without standing in the way', (networkSize, text) => {
    const survey = new Model(definition);
    survey.data = { ...MINIMAL_RESPONSES, networkSize };
    expect(survey.validate(true)).toBe(true);
    const warnings = survey.getQuestionByName('networkSize').errors;
    expect(warnings.map((warning) => warning.notificationType)).toEqual(['warning']);
    expect(warnings[0]?.getText()).toContain(text);
  });

  it.each([
    ['missing', undefined, 'Please give a number'],
    ['below 0', -1, 'can not be below 0'],
    ['no whole number', 2.5, 'whole number'],
    ['text', '12', 'must be a number'],
  ])('refuses a network size that is %s', (_how, networkSize, text) => {
    const responses = networkSize === undefined ? WITHOUT_NETWORK : { ...WITHOUT_NETWORK, networkSize };
    expect(check(responses)).toEqual([
      { path: 'responses.networkSize', message: expect.stringContaining(text) as string },
    ]);
  });

  it('never holds a network size beside the reason why there is none', () => {
    expect(check({ ...MINIMAL_RESPONSES, networkSizeMissing: 'dontKnow' })).toHaveLength(1);
  });

  it('names each required answer that is missing', () => {
    expect(check({}).map((error) => error.path)).toEqual(['responses.consent']);
    expect(check({ consent: 'yes' }).map((error) => error.path)).toEqual([
      'responses.isAdult',
      'responses.sleptOutside',
      'responses.interviewedBefore',
    ]);
  });
});
