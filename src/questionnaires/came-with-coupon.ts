/**
 * Whether somebody came with a coupon (`{cameWithCoupon}` in conditions, 'yes' or 'no') is known to the phone, but not
 * stored with the answers, and a coupon may be given to the interview or taken from it later. So whoever looks at the
 * answers afterwards takes the one with which they are right, and a coupon where both are, or neither. Browser-safe.
 */
import type { SurveyModel } from 'survey-core';

export const CAME_WITH_COUPON = 'cameWithCoupon';
export const CAME = ['yes', 'no'] as const;

export const asksForCoupon = (definition: object): boolean =>
  JSON.stringify(definition).toLowerCase().includes(CAME_WITH_COUPON.toLowerCase());

/** Gives the model these answers. */
export function setAnswers(model: SurveyModel, definition: object, answers: Record<string, unknown>): void {
  const give = (came: (typeof CAME)[number]) => {
    model.setVariable(CAME_WITH_COUPON, came);
    model.data = structuredClone(answers);
  };
  give('yes');
  if (!asksForCoupon(definition) || isRight(model, answers)) return;
  give('no');
  if (!isRight(model, answers)) give('yes');
}

const isRight = (model: SurveyModel, answers: Record<string, unknown>): boolean =>
  model
    .getAllQuestions()
    .every((one) => one.isVisible || !one.hasInput || !Object.hasOwn(answers, one.getValueName())) &&
  model.validate(false, false);
