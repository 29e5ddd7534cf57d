/**
 * The variable `{cameWithCoupon}` ('yes' or 'no') in conditions. The phone knows it, but it is not stored with the answers,
 * and an interview's coupon may be changed later. So stored answers are validated with both values; if both or neither are
 * valid, 'yes' is used. Browser-safe.
 */
import type { Question, SurveyModel } from 'survey-core';

export const CAME_WITH_COUPON_VARIABLE = 'cameWithCoupon';
export const CAME_WITH_COUPON_VALUES = ['yes', 'no'] as const;
export type CameWithCouponValue = (typeof CAME_WITH_COUPON_VALUES)[number];

export const usesCouponVariable = (definition: object): boolean =>
  JSON.stringify(definition).toLowerCase().includes(CAME_WITH_COUPON_VARIABLE.toLowerCase());

/** Sets the model's answers and the variable. */
export function setAnswers(model: SurveyModel, definition: object, answers: Record<string, unknown>): void {
  setAnswersAndCameWithCoupon(model, 'yes', answers);
  if (!usesCouponVariable(definition) || isValid(model, answers)) return;
  const hides = !showsAll(model, answers);
  setAnswersAndCameWithCoupon(model, 'no', answers);
  // If both are invalid, for example because a required answer is missing, use the value that hides no answer.
  if (!isValid(model, answers) && !(hides && showsAll(model, answers)))
    setAnswersAndCameWithCoupon(model, 'yes', answers);
}

/** The same if the variable's value is known. */
export function setAnswersAndCameWithCoupon(
  model: SurveyModel,
  couponValue: CameWithCouponValue,
  answers: Record<string, unknown>,
): void {
  model.setVariable(CAME_WITH_COUPON_VARIABLE, couponValue);
  model.data = structuredClone(answers);
  // A default that the respondent removed must not come back.
  for (const one of model.getAllQuestions())
    if (hasDefault(one) && !Object.hasOwn(answers, one.getValueName())) one.clearValue();
}

const hasDefault = ({ defaultValue, defaultValueExpression }: Question): boolean =>
  (defaultValue ?? null) !== null || Boolean(defaultValueExpression);

const isValid = (model: SurveyModel, answers: Record<string, unknown>): boolean =>
  showsAll(model, answers) && model.validate(false, false);

const showsAll = (model: SurveyModel, answers: Record<string, unknown>): boolean =>
  model
    .getAllQuestions()
    .every((one) => one.isVisible || !one.hasInput || !Object.hasOwn(answers, one.getValueName()));
