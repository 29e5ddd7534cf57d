/**
 * Answers as text: titles and choices in one language. Builds a model of the form, which can take long, so the service
 * calls validator.ts instead.
 */
import '../definition/pattern.ts';
import '../definition/number-format.ts';
import { Model, type Question } from 'survey-core';
import { setAnswers } from '../definition/coupon-variable.ts';
import type { AnswerLine } from '../schema.ts';

/** The questions that are shown, each with its answer; with `hidden`, also those that these answers hide. */
export function answerLines(
  definition: object,
  answers: Record<string, unknown>,
  language: string,
  { hidden = false } = {},
): AnswerLine[] {
  const model = new Model(structuredClone(definition));
  model.locale = language;
  setAnswers(model, definition, answers);
  model.showInvisibleElements = hidden;
  return model
    .getAllQuestions()
    .filter((question) => question.isVisible && question.hasInput)
    .map((question) => ({ name: question.name, title: question.processedTitle, answer: inWords(question) }));
}

function inWords(question: Question): string {
  if (question.isEmpty()) return '';
  const value: unknown = question.displayValue;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
