/**
 * Validates answers against a questionnaire. The form library validates them as it does in the browser (required, in
 * range, shown at all). This file adds what the library lets pass: answers it would silently clear or cut, keys
 * without a question, and answers to questions that were never shown.
 */
import { Model } from 'survey-core';
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { LruCache } from '../../platform/lib/lru-cache.ts';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import {
  CAME_WITH_COUPON_VARIABLE,
  type CameWithCouponValue,
  usesCouponVariable,
} from '../definition/coupon-variable.ts';
import { jsonCopy } from '../definition/definition.ts';
import { FORBIDDEN_NAMES } from '../definition/definition-safety.ts';
import { runWithConsoleMuted } from '../definition/silence-console.ts';
import { checkVisibleAnswers } from './check-visible-answers.ts';
import { compileFastAnswerRules, type FastAnswerRules } from './fast-validation.ts';
import {
  dependsOnDay,
  type WallClock,
  withCurrentTimeSetTo,
  withDayBeforeAndAfter,
} from './interview-day.ts';

const MAX_DEPTH = 12;
const MAX_TEXT = 10_000;
const MAX_ITEMS = 1_000;

/** By id: a questionnaire's definition never changes. */
const plans = new LruCache<FastAnswerRules | null>(20);

export function fastAnswerRulesOf(questionnaire: { id: string; definition: object }): FastAnswerRules | null {
  const { id, definition } = questionnaire;
  const cachedPlan = plans.get(id);
  if (cachedPlan !== undefined) return cachedPlan;
  const plan = compileFastAnswerRules(definition);
  plans.set(id, plan);
  return plan;
}

/** The fast check: the faults, an empty list if there are none, or null if only the form library can decide. */
export function validateAnswersFast(
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
): FieldError[] | null {
  const unsafe = unsafePart(responses, 'responses', 1);
  if (unsafe) return [unsafe];
  return runWithConsoleMuted(() => fastAnswerRulesOf(questionnaire)?.areRight(responses)) ? [] : null;
}

/**
 * The full check, with a new model each time: it takes about ten milliseconds, but nothing can leak from one interview
 * to the next, and most complete interviews never get here. `moments`: the times when the interview may have taken
 * place.
 */
export function checkAnswersWithModel(
  definition: object,
  responses: Record<string, unknown>,
  moments: readonly WallClock[] = [],
): FieldError[] {
  if (moments.length === 0 || !dependsOnDay(definition)) return checkByCoupon(definition, responses);
  let min: FieldError[] | null = null;
  for (const moment of withDayBeforeAndAfter(moments)) {
    const errors = withCurrentTimeSetTo(moment, () => checkByCoupon(definition, responses));
    if (errors.length === 0) return [];
    if (!min || errors.length < min.length) min = errors;
  }
  return min ?? [];
}

function checkByCoupon(definition: object, responses: Record<string, unknown>): FieldError[] {
  const withCoupon = checkAs('yes', definition, responses);
  if (withCoupon.length === 0 || !usesCouponVariable(definition)) return withCoupon;
  const without = checkAs('no', definition, responses);
  return without.length < withCoupon.length ? without : withCoupon;
}

function checkAs(
  couponValue: CameWithCouponValue,
  definition: object,
  responses: Record<string, unknown>,
): FieldError[] {
  const model = new Model(jsonCopy(definition));
  model.locale = 'en';
  model.setVariable(CAME_WITH_COUPON_VARIABLE, couponValue);
  try {
    // The model may modify its data, and the answers must be stored exactly as sent.
    model.data = jsonCopy(responses);
    const isValid = model.validate(true, false);
    const errors = onePerPath(checkVisibleAnswers(model, responses));
    if (isValid || errors.length > 0) return errors;
  } catch {
    // The library throws on some data that no form could send.
  }
  return [fieldError('responses', 'ANSWERS_UNFIT')];
}

function onePerPath(errors: FieldError[]): FieldError[] {
  const first = new Map<string, FieldError>();
  for (const error of errors) if (!first.has(error.path)) first.set(error.path, error);
  return [...first.values()];
}

function unsafePart(value: unknown, path: string, depth: number): FieldError | null {
  // Before building the model, so that patterns never run over very long texts.
  if (typeof value === 'string' && value.length > MAX_TEXT)
    return fieldError(path, 'ANSWER_TOO_LONG', { count: MAX_TEXT });
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return fieldError(path, 'ANSWER_TOO_DEEP');
  // Expressions compare every item of one list with every item of the other.
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    return fieldError(path, 'ANSWER_TOO_MANY', { count: MAX_ITEMS });
  if (!Array.isArray(value) && !isPlainObject(value)) return fieldError(path, 'ANSWER_NOT_PLAIN');
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_NAMES.has(key)) return fieldError(path, 'NAME_IN_ANSWER');
    const unsafe = unsafePart((value as Record<string, unknown>)[key], `${path}.${key}`, depth + 1);
    if (unsafe) return unsafe;
  }
  return null;
}
