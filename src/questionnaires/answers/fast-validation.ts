/**
 * A fast path for validating the usual questionnaire. survey-core's model is made for a browser: setting and
 * validating 30 answers takes several milliseconds, nearly all of it spent on tracking property changes. If a
 * definition only uses what is listed here, the same rules are applied to the plain answers, with survey-core's own
 * expressions. This can only accept answers; in any doubt, or if a property is not listed, the full model decides. A
 * test checks that the model accepts whatever this accepts.
 */

import { ConditionRunner, ExpressionRunner } from 'survey-core';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import { CAME_WITH_COUPON_VALUES, CAME_WITH_COUPON_VARIABLE } from '../definition/coupon-variable.ts';

type Values = Record<string, unknown>;
type Condition = (values: Values) => boolean;

interface Question {
  name: string;
  /** From the definition. */
  element: Values;
  hasOther: boolean;
  isRequired: boolean;
  requiredIf: Condition | null;
  visibleIf: Condition | null;
  /** Whether its answer is kept when it is hidden. */
  mayStay: boolean;
  conditions: Condition[];
  fits: (value: unknown) => boolean;
}

interface Group {
  visibleIf: Condition | null;
  questions: Question[];
}

const words = (text: string) => new Set(text.split(' '));
const SURVEY = words(
  'title description showProgressBar showQuestionNumbers checkErrorsMode completedHtml completedHtmlOnCondition calculatedValues pages elements showTitle showPageTitles progressBarType progressBarLocation completeText pageNextText pagePrevText questionErrorLocation questionTitleLocation widthMode width locale requiredMark requiredText showNavigationButtons showCompletedPage showPrevButton autoAdvanceEnabled goNextPageAutomatic autoAdvanceAllowComplete allowCompleteSurveyAutomatic',
);
const PAGE = words('name title description visibleIf elements');
const ANY_ELEMENT = words(
  'type name title description visibleIf isRequired requiredIf requiredErrorText startWithNewLine clearIfInvisible',
);
const SELECT = words(
  'choices colCount choicesOrder showClearButton showOtherItem otherText otherPlaceholder otherErrorText showNoneItem noneText showRefuseItem refuseText showDontKnowItem dontKnowText placeholder',
);
const TEXT = words('inputType min max minErrorText maxErrorText validators placeholder step maxLength');
const COMMENT = words('maxLength rows placeholder autoGrow');
const BOOLEAN = words('labelTrue labelFalse');
/** Limits that keep the fast path fast; larger questionnaires use the full model. */
const MAX_CONDITIONS = 500;
const MAX_EXPRESSION = 1_000;
const MAX_CHOICES = 300;
const MAX_CALCULATED = 10_000;
const SPECIAL_CHOICES = {
  showNoneItem: 'none',
  showRefuseItem: 'refused',
  showDontKnowItem: 'dontknow',
} as const;

interface CompileContext {
  /** Names of questions and calculated values in lower case; true if the value is a list. */
  names: Map<string, boolean>;
  /** Number of conditions compiled so far. */
  conditions: number;
}

/** Thrown while compiling if only the full model can handle the definition. */
class NeedsFullModel extends Error {}

function requireOnly(owner: unknown, ...allowed: ReadonlySet<string>[]): Values {
  if (!isPlainObject(owner)) throw new NeedsFullModel();
  if (Object.keys(owner).some((key) => !allowed.some((names) => names.has(key)))) throw new NeedsFullModel();
  return owner;
}

function list(value: unknown): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new NeedsFullModel();
  return value;
}

export interface FastAnswerRules {
  /** True only if these answers are certainly valid. */
  areRight(responses: Values): boolean;
  /** The elements of the questions that are shown with these answers; null if only the full model can tell. */
  shownBy(responses: Values): Values[] | null;
}

/** Null if the definition needs the full model. */
export function compileFastAnswerRules(definition: object): FastAnswerRules | null {
  try {
    return compile(requireOnly(definition, SURVEY));
  } catch (error) {
    if (error instanceof NeedsFullModel) return null;
    throw error;
  }
}

function compile(survey: Values): FastAnswerRules {
  // Top-level elements are a single page. If there are pages too, only the model knows what that means.
  if (survey.elements !== undefined && survey.pages !== undefined) throw new NeedsFullModel();
  const pages = list(survey.pages ?? [{ elements: survey.elements }]).map((page) => requireOnly(page, PAGE));
  const elements = pages.map((page) => list(page.elements).filter((one) => !isText(one)));
  const knownLists: CompileContext = { names: new Map(), conditions: 0 };
  for (const one of elements.flat())
    if (isPlainObject(one)) knownLists.names.set(String(one.name).toLowerCase(), one.type === 'checkbox');
  // A variable, not an answer: see coupon-variable.ts.
  knownLists.names.set(CAME_WITH_COUPON_VARIABLE.toLowerCase(), false);
  const calculated = list(survey.calculatedValues).map((one) => {
    const { name, expression } = requireOnly(one, words('name expression'));
    const runner = new ExpressionRunner(
      checkedExpression(expression, knownLists, (text) => new ExpressionRunner(text)),
    );
    if (knownLists.names.has(String(name).toLowerCase())) throw new NeedsFullModel();
    knownLists.names.set(String(name).toLowerCase(), namesLists(runner, knownLists) > 0);
    return { name: String(name), runner };
  });
  const groups = pages.map(
    (page, index): Group => ({
      visibleIf: condition(page.visibleIf, knownLists),
      questions: (elements[index] ?? []).map((one) => question(one, knownLists)),
    }),
  );
  const questions = groups.flatMap((group) => group.questions);
  const byName = new Map(questions.map((one) => [one.name, one]));

  /** The answers and the values calculated from them; null if an answer doesn't fit its question. */
  const valuesOf = (
    responses: Values,
    couponValue: (typeof CAME_WITH_COUPON_VALUES)[number],
  ): Values | null => {
    if (!Object.keys(responses).every((key) => isKnownKey(key, responses, byName))) return null;
    // Checked first, so that expressions never see values larger than the questionnaire allows.
    if (![...byName.values()].every((one) => fitsIfAnswered(one, responses))) return null;
    const values: Values = { [CAME_WITH_COUPON_VARIABLE]: couponValue, ...responses };
    for (const { name, runner } of calculated) {
      const value = runner.runValues(values) as unknown;
      if (typeof value === 'string' && value.length > MAX_CALCULATED) return null;
      values[name] = value;
    }
    return values;
  };
  const areRightAs = (responses: Values, couponValue: (typeof CAME_WITH_COUPON_VALUES)[number]): boolean => {
    const values = valuesOf(responses, couponValue);
    if (!values) return false;
    return groups.every((group) => {
      const isShown = !group.visibleIf || group.visibleIf(values);
      return group.questions.every((one) => isAnswerValid(one, isShown, responses, values));
    });
  };
  return {
    areRight: (responses) =>
      CAME_WITH_COUPON_VALUES.some((couponValue) => areRightAs(responses, couponValue)),
    shownBy: (responses) => {
      const values = valuesOf(
        responses,
        CAME_WITH_COUPON_VALUES.find((couponValue) => areRightAs(responses, couponValue)) ?? 'yes',
      );
      if (!values) return null;
      return questions.flatMap(({ visibleIf, element }) =>
        !visibleIf || visibleIf(values) ? [element] : [],
      );
    },
  };
}

function isText(element: unknown): boolean {
  if (!isPlainObject(element) || element.type !== 'html') return false;
  requireOnly(element, words('type name html visibleIf'));
  return true;
}

function isKnownKey(key: string, responses: Values, byName: Map<string, Question>): boolean {
  if (byName.has(key)) return true;
  if (!key.endsWith('-Comment')) return false;
  const main = key.slice(0, -'-Comment'.length);
  return byName.get(main)?.hasOther === true && choseOther(responses[main]);
}

function choseOther(value: unknown): boolean {
  return value === 'other' || (Array.isArray(value) && value.includes('other'));
}

function isAnswerValid(one: Question, isPageShown: boolean, responses: Values, values: Values): boolean {
  const isAnswered = Object.hasOwn(responses, one.name);
  if (!isPageShown || (one.visibleIf && !one.visibleIf(values))) return !isAnswered || one.mayStay;
  if (!isAnswered) return !isRequired(one, values) && one.conditions.every((holds) => holds(values));
  return one.conditions.every((holds) => holds(values));
}

function fitsIfAnswered(one: Question, responses: Values): boolean {
  if (!Object.hasOwn(responses, one.name)) return true;
  const value = responses[one.name];
  if (!one.fits(value)) return false;
  return !(one.hasOther && choseOther(value)) || isTextWithinLimit(responses[`${one.name}-Comment`]);
}

/** `requiredIf` overrides `isRequired`. */
function isRequired(one: Question, values: Values): boolean {
  return one.requiredIf ? one.requiredIf(values) : one.isRequired;
}

function isTextWithinLimit(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && text.length <= 10_000;
}

function question(element: unknown, knownLists: CompileContext): Question {
  if (!isPlainObject(element)) throw new NeedsFullModel();
  const type = String(element.type);
  const fits =
    type === 'radiogroup' || type === 'dropdown'
      ? oneOf(requireOnly(element, ANY_ELEMENT, SELECT))
      : type === 'checkbox'
        ? someOf(requireOnly(element, ANY_ELEMENT, SELECT))
        : type === 'text'
          ? numberOrLine(requireOnly(element, ANY_ELEMENT, TEXT))
          : type === 'comment'
            ? lines(requireOnly(element, ANY_ELEMENT, COMMENT))
            : type === 'boolean'
              ? yesOrNo(requireOnly(element, ANY_ELEMENT, BOOLEAN))
              : undefined;
  if (!fits) throw new NeedsFullModel();
  return {
    name: String(element.name),
    element,
    hasOther: element.showOtherItem === true,
    isRequired: element.isRequired === true,
    requiredIf: condition(element.requiredIf, knownLists),
    visibleIf: condition(element.visibleIf, knownLists),
    mayStay: staysIfHidden(element),
    conditions: list(element.validators).flatMap((validator) => conditionOf(validator, knownLists)),
    fits,
  };
}

/** Whether the answer may be kept once the question is hidden again. */
function staysIfHidden({ clearIfInvisible = 'default' }: Values): boolean {
  if (clearIfInvisible !== 'default' && clearIfInvisible !== 'none') throw new NeedsFullModel();
  return clearIfInvisible === 'none';
}

/** A validator that only warns accepts the answer, so it is no condition. */
function conditionOf(validator: unknown, knownLists: CompileContext): Condition[] {
  const { type, expression, notificationType } = requireOnly(
    validator,
    words('type expression text notificationType'),
  );
  if (type !== 'expression') throw new NeedsFullModel();
  const holds = condition(expression, knownLists);
  return holds && (notificationType === undefined || notificationType === 'error') ? [holds] : [];
}

function choicesOf(element: Values): { allowed: Set<unknown>; alone: Set<unknown> } {
  const allowed = new Set<unknown>();
  const exclusive = new Set<unknown>();
  for (const item of list(element.choices)) {
    const value = isPlainObject(item) ? requireOnly(item, words('value text isExclusive')).value : item;
    if (typeof value !== 'string') throw new NeedsFullModel();
    allowed.add(value);
    if (isPlainObject(item) && item.isExclusive === true) exclusive.add(value);
  }
  for (const [property, value] of Object.entries(SPECIAL_CHOICES)) {
    if (element[property] === true) exclusive.add(value);
  }
  if (element.showOtherItem === true) allowed.add('other');
  if (allowed.size > MAX_CHOICES) throw new NeedsFullModel();
  return { allowed: new Set([...allowed, ...exclusive]), alone: exclusive };
}

function oneOf(element: Values): Question['fits'] {
  const { allowed } = choicesOf(element);
  return (value) => allowed.has(value);
}

function someOf(element: Values): Question['fits'] {
  const { allowed, alone } = choicesOf(element);
  return (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => allowed.has(item)) &&
    new Set(value).size === value.length &&
    (value.length === 1 || !value.some((item) => alone.has(item)));
}

function numberOrLine(element: Values): Question['fits'] {
  const { inputType, min, max } = element;
  if (inputType === undefined && min === undefined && max === undefined) return lines(element);
  if (
    inputType !== 'number' ||
    ![min, max].every((bound) => bound === undefined || typeof bound === 'number')
  ) {
    throw new NeedsFullModel();
  }
  const least = typeof min === 'number' ? min : -Infinity;
  const most = typeof max === 'number' ? max : Infinity;
  return (value) => typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most;
}

function yesOrNo(_element: Values): Question['fits'] {
  return (value) => typeof value === 'boolean';
}

function lines(element: Values): Question['fits'] {
  const { maxLength } = element;
  const most = typeof maxLength === 'number' && maxLength > 0 ? Math.min(maxLength, 10_000) : 10_000;
  return (value) => isTextWithinLimit(value) && String(value).length <= most;
}

function condition(expression: unknown, knownLists: CompileContext): Condition | null {
  if (expression === undefined) return null;
  const runner = new ConditionRunner(
    checkedExpression(expression, knownLists, (text) => new ConditionRunner(text)),
  );
  return (values) => runner.runValues(values);
}

/** Plain question names only: no functions, parts of answers, or model variables. */
function checkedExpression(
  expression: unknown,
  knownLists: CompileContext,
  run: (text: string) => ConditionRunner | ExpressionRunner,
): string {
  if (typeof expression !== 'string' || expression === '' || expression.length > MAX_EXPRESSION)
    throw new NeedsFullModel();
  const runner = run(expression);
  if (!runner.canRun() || runner.hasFunction()) throw new NeedsFullModel();
  if (runner.getVariables().some((name) => !knownLists.names.has(name.toLowerCase())))
    throw new NeedsFullModel();
  // Comparing two lists compares every item with every other.
  if (namesLists(runner, knownLists) > 1) throw new NeedsFullModel();
  knownLists.conditions += 1;
  if (knownLists.conditions > MAX_CONDITIONS) throw new NeedsFullModel();
  return expression;
}

function namesLists(runner: ConditionRunner | ExpressionRunner, knownLists: CompileContext): number {
  return runner.getVariables().filter((name) => knownLists.names.get(name.toLowerCase()) === true).length;
}
