/**
 * Number questions as text fields with a numeric keyboard. The browser's own number field, which the forms library
 * uses, changes with the mouse wheel, drops digits of other scripts, and reads "2,5" as 25 or as nothing.
 */
import { cloneElement, type FormEvent, type ReactElement } from 'react';
import { CustomError, QuestionTextModel, type SurveyError } from 'survey-core';
import { SurveyQuestionText } from 'survey-react-ui';
import { toLatinDigits } from '../../../../../src/platform/lib/text/latin-digits.ts';
import { readNumber } from '../../../../../src/platform/lib/text/read-number.ts';
import { preventLetterInput } from '../../../ui/refuse-letters.ts';
import { rewriteTypedText } from '../../../ui/rewrite-input.ts';

/** Questions whose field contains text that isn't a number. */
const unreadable = new WeakSet<QuestionTextModel>();

const isNumber = ({ inputType }: QuestionTextModel): boolean => inputType === 'number';

/** The question's step or one of its checks rules out fractions. */
function asksWholeNumber({ step, validators }: QuestionTextModel): boolean {
  const checks = (validators as { expression?: string }[]).map(({ expression }) => expression ?? '');
  return Number.isInteger(step) || checks.some((expression) => /% ?1 = 0/.test(expression));
}

/** In a field for whole numbers, "1,000" is a thousand. Fractions are left to the question's own check. */
const readAnswer = (question: QuestionTextModel, text: string): number | null =>
  (asksWholeNumber(question) ? readNumber(text, 0) : null) ?? readNumber(text);

/** Whether the field's text means the stored value. */
function isShown(question: QuestionTextModel, text: string): boolean {
  if (question.isEmpty()) return text.trim() === '' || unreadable.has(question);
  return readAnswer(question, text) === question.value;
}

interface RenderedQuestion {
  question: QuestionTextModel;
  control: HTMLInputElement | undefined;
  renderInput(): ReactElement;
  getValueCore(): unknown;
}

const textPrototype = SurveyQuestionText.prototype as unknown as RenderedQuestion;
const { renderInput, getValueCore } = textPrototype;

textPrototype.renderInput = function () {
  const input = renderInput.call(this);
  const { question } = this;
  if (!isNumber(question) || input.type !== 'input') return input;
  const keys = asksWholeNumber(question) ? 'numeric' : 'decimal';
  return cloneElement(input, {
    type: 'text',
    // Some phones' numeric keyboards have no minus key.
    inputMode: Number(question.renderedMin) < 0 ? 'text' : keys,
    dir: 'ltr',
    autoComplete: 'off',
    'data-number': true,
    min: undefined,
    max: undefined,
    step: undefined,
    onBeforeInput: (event: FormEvent) => preventLetterInput(event),
  } as object);
};

textPrototype.getValueCore = function () {
  const { question, control } = this;
  if (isNumber(question) && control && isShown(question, control.value)) return control.value;
  return getValueCore.call(this);
};

interface Patched {
  updateValueOnEvent(this: QuestionTextModel, event: { target: HTMLInputElement }): void;
  onCheckForErrors(this: QuestionTextModel, errors: SurveyError[], ...more: unknown[]): void;
}

const patchedPrototype = QuestionTextModel.prototype as unknown as Patched;
const { updateValueOnEvent, onCheckForErrors } = patchedPrototype;

patchedPrototype.updateValueOnEvent = function (event) {
  if (!isNumber(this)) return updateValueOnEvent.call(this, event);
  const text = rewriteTypedText(event.target, toLatinDigits);
  const number = readAnswer(this, text);
  const wasUnreadable = unreadable.has(this);
  if (number === null && text.trim() !== '') unreadable.add(this);
  else unreadable.delete(this);
  const isSame = number === null ? this.isEmpty() : number === this.value;
  if (!isSame) this.value = number ?? undefined;
  else if (wasUnreadable !== unreadable.has(this) && this.errors.length > 0) this.validate(true);
};

patchedPrototype.onCheckForErrors = function (errors, ...more) {
  onCheckForErrors.call(this, errors, ...more);
  if (!isNumber(this) || !this.isEmpty() || !unreadable.has(this)) return;
  // Something was entered, so the question isn't missing an answer.
  errors.splice(0, errors.length, new CustomError(this.invalidInputErrorText, this));
};
