/**
 * How the form library writes a number that a questionnaire works out. It asks the browser by the questionnaire's own
 * words (language, currency, digits), and fails with those that the browser does not know: then the number stands as it is.
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
