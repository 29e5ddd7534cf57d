/**
 * The variable `{cameWithCoupon}` ('yes' or 'no') in conditions. The phone knows it, but it is not stored with the answers,
 * and an interview's coupon may be changed later. So stored answers are validated with both values; if both or neither are
 * valid, 'yes' is used. Browser-safe.
 */
import type { SurveyModel } from 'survey-core';

export const CAME_WITH_COUPON = 'cameWithCoupon';
export const COUPON_VALUES = ['yes', 'no'] as const;
export type CouponValue = (typeof COUPON_VALUES)[number];

export const usesCouponVariable = (definition: object): boolean =>
  JSON.stringify(definition).toLowerCase().includes(CAME_WITH_COUPON.toLowerCase());

/** Sets the model's answers and the variable. */
export function setAnswers(model: SurveyModel, definition: object, answers: Record<string, unknown>): void {
  setAnswersAs(model, 'yes', answers);
  if (!usesCouponVariable(definition) || isValid(model, answers)) return;
  setAnswersAs(model, 'no', answers);
  if (!isValid(model, answers)) setAnswersAs(model, 'yes', answers);
}

/** The same where the variable's value is known. */
export function setAnswersAs(model: SurveyModel, came: CouponValue, answers: Record<string, unknown>): void {
  model.setVariable(CAME_WITH_COUPON, came);
  model.data = structuredClone(answers);
}

const isValid = (model: SurveyModel, answers: Record<string, unknown>): boolean =>
  model
    .getAllQuestions()
    .every((one) => one.isVisible || !one.hasInput || !Object.hasOwn(answers, one.getValueName())) &&
  model.validate(false, false);
