/** A network size that nobody knows is never invented: the way out of the question, in every questionnaire. */
import { Model } from 'survey-core';
import { onScreen } from '../../client/src/features/interview/progress.ts';
import { DEFAULT_QUESTIONNAIRE, MINIMAL_RESPONSES } from '../../src/questionnaires/default-questionnaire.ts';
import { parseNetworkSize } from '../../src/questionnaires/network-size.ts';
import { onOneScreen, withNonresponseQuestion } from '../../src/questionnaires/nonresponse.ts';
import { checkAnswers } from '../check-answers.ts';

const number = { type: 'text', inputType: 'number', name: 'degree', title: 'How many?' };
const form = (...elements: object[]) => ({
  definition: { pages: [{ name: 'a', elements: [{ type: 'text', name: 'before' }, ...elements] }] },
  networkSizeQuestion: 'degree',
});
let made = 0;
const check = (asked: { definition: object }, responses: Record<string, unknown>) =>
  checkAnswers({ id: `way-out-${made++}`, definition: asked.definition }, responses).map(({ path }) => path);

describe.each([
  ['always', { isRequired: true }],
  ['on a condition', { requiredIf: "{before} = 'x'" }],
  [
    'with a check that an empty answer fails',
    { isRequired: true, validators: [{ type: 'expression', expression: '{degree} > 0', text: 'More' }] },
  ],
  ['in a panel', 'panel'],
])('where the number is required %s', (_how, rule) => {
  const element = { ...number, ...(typeof rule === 'string' ? { isRequired: true } : rule) };
  const asked = withNonresponseQuestion(
    form(rule === 'panel' ? { type: 'panel', name: 'p', elements: [element] } : element),
  );
  it('wants the number or a reason, and never takes both', () => {
    expect(check(asked, { before: 'x' })).toEqual(['responses.degree']);
    expect(check(asked, { before: 'x', degreeMissing: 'dontKnow' })).toEqual([]);
    expect(check(asked, { before: 'x', degree: 7 })).toEqual([]);
    expect(check(asked, { before: 'x', degree: 7, degreeMissing: 'dontKnow' })).toHaveLength(1);
    expect(check(asked, { before: 'x', degreeMissing: 'lazy' })).toEqual(['responses.degreeMissing']);
    expect(parseNetworkSize(asked, { before: 'x', degreeMissing: 'dontKnow' })).toBeNull();
  });

  it('shows both on one screen where a screen has one question', () => {
    const model = new Model(onOneScreen(asked));
    model.questionsOnPageMode = 'questionPerPage';
    model.performNext();
    expect(onScreen(model).map(({ name }) => name)).toEqual(['degree', 'degreeMissing']);
    model.setValue('before', 'x');
    expect(model.performNext() && model.state).toBe(false);
    model.setValue('degreeMissing', 'preferNotToSay');
    expect(model.isLastElement && model.tryComplete()).toBe(true);
    expect(model.data).toEqual({ before: 'x', degreeMissing: 'preferNotToSay' });
  });
});

it('keeps a check of the number that is there', () => {
  const check0 = { type: 'expression', expression: '{degree} > 0', text: 'More' };
  const asked = withNonresponseQuestion(form({ ...number, isRequired: true, validators: [check0] }));
  expect(check(asked, { degree: 0 })).toEqual(['responses.degree']);
});

it('speaks the languages of its question, and no other', () => {
  const [english] = [withNonresponseQuestion(form({ ...number, isRequired: true }))];
  const both = withNonresponseQuestion(
    form({ ...number, title: { en: 'How many?', es: '¿Cuántas?' }, isRequired: true }),
  );
  expect(new Model(english.definition).getUsedLocales()).toEqual(['en']);
  expect(new Model(both.definition).getUsedLocales()).toEqual(['en', 'es']);
});

it('changes nothing where the number may be skipped, or the way out stands already', () => {
  const optional = form(number);
  expect(withNonresponseQuestion(optional)).toEqual(optional);
  expect(withNonresponseQuestion(DEFAULT_QUESTIONNAIRE)).toEqual(DEFAULT_QUESTIONNAIRE);
});

it('shows both questions of the shipped questionnaire, and of versions stored long ago, on one screen', () => {
  const { networkSize: _none, ...rest } = MINIMAL_RESPONSES;
  const model = new Model(onOneScreen(DEFAULT_QUESTIONNAIRE));
  model.questionsOnPageMode = 'questionPerPage';
  model.data = rest;
  model.currentElementName = 'networkSize';
  expect(onScreen(model).map(({ name }) => name)).toEqual(['networkSize', 'networkSizeMissing']);
});
