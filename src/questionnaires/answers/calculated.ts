/**
 * Values that a questionnaire calculates and stores with the answers (calculated values included in the result, and
 * questions that show a value). The service calculates them itself, and ignores what a phone sends under their names.
 */
import { Model } from 'survey-core';
import {
  type CameWithCouponValue,
  setAnswers,
  setAnswersAndCameWithCoupon,
} from '../definition/coupon-variable.ts';
import { calculatedDefinitionsIn, withoutCalculated } from './calculated-names.ts';
import { type WallClock, withCurrentTimeSetTo } from './interview-day.ts';

type Answers = Record<string, unknown>;

/** When an interview took place, and whether the person came with a coupon. */
export interface CalculationContext {
  moment: WallClock;
  /** `{cameWithCoupon}`; if unknown, it is inferred from the answers. */
  came?: CameWithCouponValue | undefined;
}

/**
 * The answers plus the values calculated from them as of this moment. Builds a model, which can take long, so the
 * service calls validator.ts instead.
 */
export function withCalculated(
  definition: object,
  answers: Answers,
  { moment, came }: CalculationContext,
): Answers {
  const own = withoutCalculated(definition, answers);
  return withCurrentTimeSetTo(moment, () => {
    const model = new Model(structuredClone(definition));
    if (came) setAnswersAndCameWithCoupon(model, came, own);
    else setAnswers(model, definition, own);
    const questions = model.getAllQuestions();
    const values = new Map<string, unknown>();
    for (const one of questions.filter((question) => question.getType() === 'expression')) {
      const key = one.getValueName();
      if (one.isVisible && one.isParentVisible) values.set(key, one.value);
      // Drops what a phone sent for a hidden calculated question, unless it is also the answer to another question.
      else if (!values.has(key) && !questions.some((other) => other.hasInput && other.getValueName() === key))
        values.set(key, null);
    }
    const { values: names } = calculatedDefinitionsIn(definition);
    for (const one of model.calculatedValues) if (names.includes(one.name)) values.set(one.name, one.value);
    const result = { ...own };
    for (const [key, value] of values) {
      const plain = plainOf(value);
      if (plain === null) delete result[key];
      else result[key] = plain;
    }
    return result;
  });
}

const MAX_LETTERS = 10_000;

/** Null if it can't be calculated. */
function plainOf(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : dayOf(value);
  if (Array.isArray(value)) {
    const texts = value.map(plainOf);
    return texts.length > 0 && texts.every((one) => one !== null)
      ? texts.join(' ').slice(0, MAX_LETTERS)
      : null;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_LETTERS) : null;
}

const twoDigits = (part: number) => String(part).padStart(2, '0');

/** Only the date if the time is midnight. */
function dayOf(date: Date): string {
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  const [hours, minutes] = [date.getHours(), date.getMinutes()];
  return hours === 0 && minutes === 0 ? day : `${day}T${twoDigits(hours)}:${twoDigits(minutes)}`;
}
