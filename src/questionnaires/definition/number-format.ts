/**
 * Patches how the form library formats calculated numbers: it throws if Intl doesn't know the language or currency.
 * Then the plain number is shown.
 */
import { QuestionExpressionModel } from 'survey-core';

const prototype = QuestionExpressionModel.prototype as unknown as { getValueAsStr(value: unknown): string };
const { getValueAsStr: ofLibrary } = prototype;

prototype.getValueAsStr = function (value) {
  try {
    return ofLibrary.call(this, value);
  } catch {
    return String(value);
  }
};
