/** The forms library, configured for this app. It is large, so only lazily loaded pages import it. */
import { withoutCalculated } from '../../../../../src/questionnaires/answers/calculated-names.ts';
import {
  CAME_WITH_COUPON_VARIABLE,
  setAnswers,
  setAnswersAndCameWithCoupon,
} from '../../../../../src/questionnaires/definition/coupon-variable.ts';
import 'survey-core/survey-core.fontless.css';
import './survey.css';
import './clear-choice.tsx';
import './number-input.ts';
import '../../../../../src/questionnaires/definition/pattern.ts';
import '../../../../../src/questionnaires/definition/number-format.ts';
import { cloneElement, createElement, type PropsWithChildren, type ReactElement } from 'react';
import { type ITheme, Model, Question } from 'survey-core';
import Dark from 'survey-core/themes/default-dark-panelless';
import Light from 'survey-core/themes/default-light-panelless';
import { SurveyQuestionMatrix } from 'survey-react-ui';
import { bestLanguage } from '../../../../../src/platform/lib/languages/best-language.ts';
import { isLanguageTag } from '../../../../../src/platform/lib/languages/language-tag.ts';
import { textDirection } from '../../../../../src/platform/lib/languages/text-direction.ts';
import { clearHiddenNestedAnswers } from '../../../../../src/questionnaires/answers/check-values.ts';
import { compileEligibility } from '../../../../../src/questionnaires/definition/eligibility.ts';
import { type StudyContact, studyContactInLanguage } from '../../../../../src/study/settings/contacts.ts';
import { translateFunctionFor } from '../../../texts/i18n.ts';
import { shieldFromTaps } from '../../../ui/tap-shield.ts';
import type { Answers, Questionnaire } from '../../../wire.ts';
import { enableAutoAdvance } from './auto-advance.ts';
import { goToQuestion, trackTouchedQuestion } from './current-question.ts';
import { isLastScreen, questionsOnScreen, type ScreenUnit } from './progress.ts';
import { escapeAnswersInHtml, farewellOf } from './safe-html.ts';

measureOnlyRendered();

export interface SurveyModelOptions {
  answers: Answers;
  language: string;
  view: ScreenUnit;
  place?: string | null;
  dark: boolean;
  /** The contact that respondents can ask: `{studyContact}` in texts. */
  study?: StudyContact | undefined;
  /**
   * False for a walk-in, so that `{cameWithCoupon}` is 'no' in the form's conditions. Omit if it is no longer known.
   */
  cameWithCoupon?: boolean;
}

export function createInterviewFormModel(definition: object, options: SurveyModelOptions): Model {
  const model = new Model(definition);
  model.locale = options.language;
  fillStudyContactInForm(model, options.study);
  const answers = withoutCalculated(definition, options.answers);
  const came = options.cameWithCoupon ? 'yes' : 'no';
  if (options.cameWithCoupon === undefined) setAnswers(model, definition, answers);
  else if (Object.keys(answers).length > 0) setAnswersAndCameWithCoupon(model, came, answers);
  // A new interview starts with the questionnaire's default answers.
  else model.setVariable(CAME_WITH_COUPON_VARIABLE, came);
  model.showTitle = false;
  model.showNavigationButtons = false;
  model.showProgressBar = false;
  model.showCompletePage = false;
  model.showPageNumbers = false;
  model.showQuestionNumbers = false;
  model.autoFocusFirstQuestion = false;
  // Every keystroke is stored.
  model.textUpdateMode = 'onTyping';
  model.questionsOnPageMode = options.view === 'question' ? 'questionPerPage' : 'standard';
  model.applyTheme(options.dark ? darkTheme : lightTheme);
  trackTouchedQuestion(model);
  if (options.place) goToQuestion(model, options.place, options.view);
  model.onCurrentPageChanged.add(() => shieldFromTaps());
  enableAutoAdvance(model, options.view);
  escapeAnswersInHtml(model);
  debounceTextUpdates(model);
  disableAutofill(model);
  return model;
}

/** Otherwise browsers store what is typed and selected in their own files, to restore the page and fill in forms. */
function disableAutofill(model: Model): void {
  model.onAfterRenderSurvey.add((_, { htmlElement }) => {
    htmlElement.closest('form')?.setAttribute('autocomplete', 'off');
    htmlElement.querySelector('form')?.setAttribute('autocomplete', 'off');
  });
  for (const question of model.getAllQuestions(false, true, true))
    if ('autocomplete' in question) question.autocomplete = 'off';
}

/** The languages of its texts. Questionnaires stored before the service validated them may have other keys. */
export const formLanguagesOf = (model: Model): string[] =>
  model
    .getUsedLocales()
    .map((code) => code || 'en')
    .filter((key) => isLanguageTag(key.replaceAll('_', '-')));

/** The language to start an interview in: the first one the reader wants that the questionnaire has. */
export function startLanguageOf(definition: object, wished: readonly [string, ...string[]]): string {
  const model = new Model(definition);
  return bestLanguage(formLanguagesOf(model), [...wished, model.locale || 'en']) ?? wished[0];
}

/** Without a contact in the settings, a generic phrase is used. */
export function fillStudyContactInForm(model: Model, study: StudyContact | undefined): void {
  const contact = study ? studyContactInLanguage(study, model.locale || 'en').trim() : '';
  model.setVariable(
    'studyContact',
    contact || translateFunctionFor(model.locale || 'en')('interview.someone'),
  );
}

/** Questions without a translation appear in the language they were written in. */
export function directionOfForm(model: Model): 'ltr' | 'rtl' {
  return model.getUsedLocales().includes(model.locale) ? textDirection(model.locale) : 'ltr';
}

const TYPING_PAUSE_MS = 250;

/**
 * The library updates every text of every question on each keystroke, because any of them might quote the answer. In
 * a long interview this slows down small phones, so the texts update when typing pauses.
 */
function debounceTextUpdates(model: Model): void {
  const drawAll = model.locStrsChanged.bind(model);
  let timer: ReturnType<typeof setTimeout> | undefined;
  model.locStrsChanged = () => {
    clearTimeout(timer);
    timer = setTimeout(drawAll, TYPING_PAUSE_MS);
  };
}

/** Nothing required on this screen is unanswered. Before that, an answer may still reveal further questions. */
export function isScreenComplete(model: Model): boolean {
  return !questionsOnScreen(model).some(
    (question) => question.isVisible && question.isRequired && question.isEmpty(),
  );
}

/** An answer has hidden all remaining pages. */
export function endsEarly(model: Model, view: ScreenUnit): boolean {
  if (!isLastScreen(model, view) || !isScreenComplete(model)) return false;
  const page = questionsOnScreen(model)[0]?.page as { name: string } | undefined;
  const at = model.pages.findIndex(({ name }) => name === page?.name);
  return at >= 0 && at < model.pages.length - 1;
}

export interface InterviewResult {
  answers: Answers;
  /**
   * By the questionnaire's `takesPartIf`, which the service evaluates too. People who aren't eligible get no coupons.
   * For versions without it: false if a calculated value named `isEligible` is false.
   */
  takesPart: boolean;
  /** The questionnaire's closing text, in the respondent's language. */
  farewell: string;
}

/** The answers to send, without those of questions that ended up hidden. The form itself isn't changed. */
export function submittableInterviewOf(
  questionnaire: EligibilityInput,
  filledIn: Model,
  language: string,
): InterviewResult {
  const { definition, takesPartIf } = questionnaire;
  const model = new Model(definition);
  model.locale = language;
  model.setVariable('studyContact', filledIn.getVariable('studyContact'));
  setAnswersAndCameWithCoupon(
    model,
    filledIn.getVariable(CAME_WITH_COUPON_VARIABLE),
    withoutCalculated(definition, filledIn.data),
  );
  const eligible = model.calculatedValues.find((one) => one.name === 'isEligible');
  const isEligible = eligible ? eligible.value !== false : true;
  clearHiddenNestedAnswers(model.getAllQuestions());
  model.doComplete();
  const finalAnswers = model.data as Answers;
  const takesPart = takesPartIf ? eligibilityTest(definition, takesPartIf)(finalAnswers) : isEligible;
  return { answers: finalAnswers, takesPart, farewell: textOf(farewellOf(model)) };
}

/** As stored on the device; old copies have no `takesPartIf`. */
type EligibilityInput = { definition: object } & Partial<Pick<Questionnaire, 'takesPartIf'>>;

/** If this version can't parse the expression, the interview is kept, and the service decides. */
function eligibilityTest(definition: object, takesPartIf: string): (answers: Answers) => boolean {
  try {
    return compileEligibility(definition, takesPartIf);
  } catch {
    return () => true;
  }
}

/** One line per paragraph; text without tags is a paragraph too. */
function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const block of body.querySelectorAll('p, h1, h2, h3, h4, h5, h6, li, div, br')) {
    block.before('\n');
    block.after('\n');
  }
  const lines = (body.textContent ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join('\n');
}

const brandColors = (dark: boolean) => ({
  '--sjs2-color-project-brand-600': dark ? '#2f9f8e' : '#05655a',
  '--sjs2-color-project-brand-700': dark ? '#4fb1a1' : '#004f46',
  '--sjs2-color-utility-body': 'transparent',
  '--sjs2-color-utility-surface-survey': 'transparent',
});

const lightTheme: ITheme = { ...Light, cssVariables: { ...Light.cssVariables, ...brandColors(false) } };
const darkTheme: ITheme = { ...Dark, cssVariables: { ...Dark.cssVariables, ...brandColors(true) } };

/**
 * The forms library repeats a matrix's title in a legend that is clipped but not hidden, so it is read out and copied
 * twice. Here the fieldset is labeled by the visible title instead, as for other question types.
 */
type Rendered = ReactElement<PropsWithChildren<object>>;
interface Matrix {
  question: Question;
  renderElement(): Rendered;
}

const { prototype } = SurveyQuestionMatrix as unknown as { prototype: Matrix };
const { renderElement } = prototype;

prototype.renderElement = function () {
  const frame = renderElement.call(this);
  if (!this.question.hasTitle) return frame;
  const fieldset = frame.props.children as Rendered;
  const [, table] = fieldset.props.children as [Rendered, Rendered];
  const labelProps = { role: 'radiogroup', 'aria-labelledby': this.question.ariaTitleId };
  return cloneElement(frame, {}, createElement('fieldset', labelProps, table));
};

interface Measured {
  initResponsiveness(root: HTMLElement | null): void;
}

/**
 * The library measures a question a moment after asking for a different layout (a rating as a list on a small screen,
 * and back), and then may read the width of an element that isn't rendered, which throws. It gets the element it
 * measured last instead, which is detached and has no width, and measures again at the next change.
 */
function measureOnlyRendered(): void {
  const questions = Question.prototype as unknown as Measured;
  const { initResponsiveness } = questions;
  questions.initResponsiveness = function (this: Measured, root) {
    if (root) cacheQuerySelector(root);
    initResponsiveness.call(this, root);
  };
}

function cacheQuerySelector(root: HTMLElement): void {
  const last = new Map<string, Element>();
  root.querySelector = (selector: string) => {
    const element = Element.prototype.querySelector.call(root, selector) ?? last.get(selector) ?? null;
    if (element) last.set(selector, element);
    return element;
  };
}
