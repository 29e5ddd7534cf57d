/**
 * Questionnaire warnings, such as "You said 0. Is that right?". The forms library shows them while leaving the
 * screen, so nobody sees them. Here the first press of Next or Finish shows them and stays; the second continues.
 */
import type { Model, PanelModel, Question, SurveyValidator } from 'survey-core';
import {
  innerTextQuestionsOf,
  nestedQuestionsIn,
} from '../../../../../src/questionnaires/answers/check-values.ts';
import { shieldFromTaps } from '../../../ui/tap-shield.ts';
import { questionsOnScreen } from './progress.ts';

interface Watch {
  /** Warnings already shown, each with the answer it was about. */
  confirmed: Set<string>;
  /** Called after showing warnings. */
  onShown(): void;
}

const watches = new WeakMap<Model, Watch>();

function watchOf(model: Model): Watch {
  const watch = watches.get(model) ?? { confirmed: new Set(), onShown: () => undefined };
  watches.set(model, watch);
  return watch;
}

/** `before`: another model of the same interview, whose confirmations are kept. */
export function watchAnswerWarnings(model: Model, onShown: () => void, before?: Model): void {
  const { confirmed } = watchOf(before ?? model);
  watches.set(model, { confirmed, onShown });
}

interface Warning {
  question: Question;
  /** The question on the screen that contains it. */
  within: Question;
  key: string;
}

function warningsIn(question: Question, within = question, path = question.name): Warning[] {
  if (!question.isVisible || !question.isParentVisible) return [];
  const inside = [
    ...innerTextQuestionsOf(question).map(({ name, editor }) => ({ key: name, questions: [editor] })),
    ...(nestedQuestionsIn(question) ?? []),
  ];
  return [
    ...failingWarnings(question).map((index) => ({
      question,
      within,
      key: JSON.stringify([path, index, question.value]),
    })),
    ...inside.flatMap(({ key, questions }) =>
      questions.flatMap((one) => warningsIn(one, within, `${path}.${key}.${one.name}`)),
    ),
  ];
}

/** Indexes of the warnings that apply to the current answer. */
function failingWarnings(question: Question): number[] {
  const validators = question.validators as SurveyValidator[];
  return validators.flatMap((validator, index) => {
    if (!['warning', 'info'].includes(validator.notificationType)) return [];
    let fails = false;
    validator.validateOnCallback(
      question.value,
      (result) => {
        fails = Boolean(result?.error);
      },
      question.getValidatorTitle(),
      question.getDataFilteredProperties(),
    );
    return fails ? [index] : [];
  });
}

const warningsOf = (questions: Question[]): Warning[] => questions.flatMap((one) => warningsIn(one));

/** For answers from an earlier visit, whose warnings were already seen. */
export function markWarningsConfirmed(model: Model, questions: Question[]): void {
  const { confirmed } = watchOf(model);
  for (const { key } of warningsOf(questions)) confirmed.add(key);
}

/** Shows new warnings, and returns the question of the first one. */
export function showWarnings(model: Model, questions: Question[]): Question | null {
  const { confirmed, onShown } = watchOf(model);
  const fresh = warningsOf(questions).filter(({ key }) => !confirmed.has(key));
  const [first] = fresh;
  if (!first) return null;
  for (const { question, key } of fresh) {
    question.validate(true);
    // The library hides warnings if there is an error.
    if (!question.errors.some((error) => error.isError)) confirmed.add(key);
  }
  // A double tap must not confirm a warning that nobody has read.
  shieldFromTaps();
  onShown();
  const name = CSS.escape(first.within.name);
  document.querySelector(`.interview [data-name="${name}"]`)?.scrollIntoView({ block: 'nearest' });
  return first.within;
}

/** Goes to the next screen, unless this one has an error or a new warning. */
export function goToNextScreen(model: Model): boolean {
  const questions = questionsOnScreen(model);
  const hasNew = warningsOf(questions).some(({ key }) => !watchOf(model).confirmed.has(key));
  if (!hasNew) return model.performNext();
  // Also shows the errors of other questions on the screen.
  (model.currentElement as unknown as Question | PanelModel).validate(true, true);
  showWarnings(model, questions);
  return false;
}

/** Warnings are shown on this screen, and the next press continues. */
export function areWarningsOnScreen(model: Model): boolean {
  const { confirmed } = watchOf(model);
  return warningsOf(questionsOnScreen(model)).some(
    ({ question, key }) => confirmed.has(key) && question.errors.length > 0,
  );
}
