/** An unknown network size is never invented: every questionnaire lets people say that they don't know. */
import { Model } from 'survey-core';
import { questionsOnScreen } from '../../client/src/phone/interview/form/progress.ts';
import {
  withNoNetworkSizeReason,
  withReasonOnSameScreen,
} from '../../src/questionnaires/answers/nonresponse.ts';
import { parseNetworkSize } from '../../src/questionnaires/network-size.ts';
import {
  DEFAULT_QUESTIONNAIRE,
  MINIMAL_RESPONSES,
} from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { checkAnswers } from '../check-answers.ts';

const number = { type: 'text', inputType: 'number', name: 'degree', title: 'How many?' };
const form = (...elements: object[]) => ({
  definition: { pages: [{ name: 'a', elements: [{ type: 'text', name: 'before' }, ...elements] }] },
  networkSizeQuestion: 'degree',
});
let questionnaireCount = 0;
const check = (questionnaire: { definition: object }, responses: Record<string, unknown>) =>
  checkAnswers(
    { id: `way-out-${questionnaireCount++}`, definition: questionnaire.definition },
    responses,
  ).map(({ path }) => path);

describe.each([
  ['always', { isRequired: true }],
  ['on a condition', { requiredIf: "{before} = 'x'" }],
  [
    'with a validator that fails on an empty answer',
    { isRequired: true, validators: [{ type: 'expression', expression: '{degree} > 0', text: 'More' }] },
  ],
  ['in a panel', 'panel'],
])('with the network size required %s', (_how, rule) => {
  const element = { ...number, ...(typeof rule === 'string' ? { isRequired: true } : rule) };
  const questionnaire = withNoNetworkSizeReason(
    form(rule === 'panel' ? { type: 'panel', name: 'p', elements: [element] } : element),
  );
  it('accepts either the number or a reason, never both', () => {
    expect(check(questionnaire, { before: 'x' })).toEqual(['responses.degree']);
    expect(check(questionnaire, { before: 'x', degreeMissing: 'dontKnow' })).toEqual([]);
    expect(check(questionnaire, { before: 'x', degree: 7 })).toEqual([]);
    expect(check(questionnaire, { before: 'x', degree: 7, degreeMissing: 'dontKnow' })).toHaveLength(1);
    expect(check(questionnaire, { before: 'x', degreeMissing: 'lazy' })).toEqual(['responses.degreeMissing']);
    expect(parseNetworkSize(questionnaire, { before: 'x', degreeMissing: 'dontKnow' })).toBeNull();
  });

  it('shows both on one screen in single-question view', () => {
    const model = new Model(withReasonOnSameScreen(questionnaire));
    model.questionsOnPageMode = 'questionPerPage';
    model.performNext();
    expect(questionsOnScreen(model).map(({ name }) => name)).toEqual(['degree', 'degreeMissing']);
    model.setValue('before', 'x');
    expect(model.performNext() && model.state).toBe(false);
    model.setValue('degreeMissing', 'preferNotToSay');
    expect(model.isLastElement && model.tryComplete()).toBe(true);
    expect(model.data).toEqual({ before: 'x', degreeMissing: 'preferNotToSay' });
  });
});

it('keeps existing validators of the number', () => {
  const check0 = { type: 'expression', expression: '{degree} > 0', text: 'More' };
  const questionnaire = withNoNetworkSizeReason(form({ ...number, isRequired: true, validators: [check0] }));
  expect(check(questionnaire, { degree: 0 })).toEqual(['responses.degree']);
});

it('has only the languages of its question', () => {
  const [english] = [withNoNetworkSizeReason(form({ ...number, isRequired: true }))];
  const both = withNoNetworkSizeReason(
    form({ ...number, title: { en: 'How many?', es: '¿Cuántas?' }, isRequired: true }),
  );
  const russian = withNoNetworkSizeReason(form({ ...number, title: { ru: 'Сколько?' }, isRequired: true }));
  expect(new Model(english.definition).getUsedLocales()).toEqual(['en']);
  expect(new Model(russian.definition).getUsedLocales()).toEqual(['ru']);
  expect(JSON.stringify(russian.definition)).toContain('"ru":"Не знаю"');
  expect(new Model(both.definition).getUsedLocales()).toEqual(['en', 'es']);
});

it('is in the language of a form whose texts don’t name one', () => {
  const questionnaire = form({ ...number, isRequired: true });
  const spanish = withNoNetworkSizeReason({
    ...questionnaire,
    definition: { ...questionnaire.definition, locale: 'es' },
  });
  const model = new Model(spanish.definition);
  expect(model.getQuestionByName('degreeMissing').title).toBe('¿No hay número? Elija por qué:');
});

it('changes nothing if the number is optional or a nonresponse question exists', () => {
  const optional = form(number);
  expect(withNoNetworkSizeReason(optional)).toEqual(optional);
  expect(withNoNetworkSizeReason(DEFAULT_QUESTIONNAIRE)).toEqual(DEFAULT_QUESTIONNAIRE);
});

it('shows both questions of the default questionnaire on one screen', () => {
  const { networkSize: _none, ...rest } = MINIMAL_RESPONSES;
  const model = new Model(withReasonOnSameScreen(DEFAULT_QUESTIONNAIRE));
  model.questionsOnPageMode = 'questionPerPage';
  model.data = rest;
  model.currentElementName = 'networkSize';
  expect(questionsOnScreen(model).map(({ name }) => name)).toEqual(['networkSize', 'networkSizeMissing']);
});
