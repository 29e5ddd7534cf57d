/** The progress bar above an interview. */
import { Model } from 'survey-core';
import { interviewProgressOf, type ScreenUnit } from '../../client/src/phone/interview/form/progress.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';

function begun(
  view: ScreenUnit,
  definition: object = DEFAULT_QUESTIONNAIRE.definition,
  data?: object,
): Model {
  const model = new Model(definition);
  model.questionsOnPageMode = view === 'question' ? 'questionPerPage' : 'standard';
  if (data) model.data = structuredClone(data);
  return model;
}

/** Answers every question, and records the bar after each answer and step. */
function play(model: Model, view: ScreenUnit, answers: Record<string, unknown>): number[] {
  const percentages = [interviewProgressOf(model)];
  for (let step = 0; step < 300; step += 1) {
    const questions =
      view === 'page'
        ? model.currentPage.questions
        : [model.getQuestionByName(model.currentElementName)].filter(Boolean);
    for (const question of questions) {
      if (question.isVisible && question.name in answers) question.value = answers[question.name];
      percentages.push(interviewProgressOf(model));
    }
    if (!model.performNext()) break;
    percentages.push(interviewProgressOf(model));
  }
  return percentages;
}

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

describe.each(['question', 'page'] as const)('progress by %s', (view) => {
  it('starts at 0, never falls, and gets near 100', () => {
    const percentages = play(begun(view), view, EXAMPLE_RESPONSES);
    expect(percentages[0]).toBe(0);
    expect(percentages).toEqual(sorted(percentages));
    expect(percentages.at(-1)).toBeGreaterThan(80);
    expect(percentages.at(-1)).toBeLessThanOrEqual(100);
  });

  it('falls little when going back, and is the same when reopened', () => {
    const model = begun(view);
    const before = play(model, view, EXAMPLE_RESPONSES).at(-1) ?? 0;
    const reached = model.currentPageNo;
    for (let step = 0; step < 3; step += 1) model.performPrevious();
    if (view === 'page') expect(model.currentPageNo).toBeLessThan(reached);
    const answered = interviewProgressOf(model);
    expect(interviewProgressOf(begun(view, undefined, model.data))).toBe(answered);
    expect(before - answered).toBeLessThan(25);
  });

  it('ignores defaults and calculated values', () => {
    const definition = {
      pages: [
        { name: 'a', elements: [{ type: 'text', name: 'first' }] },
        { name: 'b', elements: [{ type: 'text', name: 'second', defaultValue: 'x' }] },
        { name: 'c', elements: [{ type: 'expression', name: 'third', expression: '1 + 1' }] },
      ],
    };
    expect(interviewProgressOf(begun(view, definition))).toBe(0);
  });
});
