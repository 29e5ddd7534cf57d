/** The question types that the builder supports, and how a question is converted when its type changes. */

import { Serializer } from 'survey-core';
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { arrayOrEmpty, type JsonObject } from '../../element-paths.ts';
import type { LocalizedText } from '../../questionnaire-outline.ts';

export const QUESTION_KINDS = [
  'radiogroup',
  'dropdown',
  'checkbox',
  'boolean',
  'number',
  'text',
  'comment',
  'date',
  'rating',
  'matrix',
  'html',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** The type of an answer, which decides what conditions can ask about it. */
export type AnswerKind = 'one' | 'several' | 'number' | 'date' | 'words' | 'yes or no' | 'other' | 'none';

export const isQuestionKind = (text: string): text is QuestionKind =>
  (QUESTION_KINDS as readonly string[]).includes(text);

/** A type that the builder doesn't support is named by its JSON type. */
export function questionKindOf({ type, inputType }: JsonObject): string {
  if (type !== 'text') return String(type);
  if (inputType === undefined || inputType === 'text') return 'text';
  return inputType === 'number' || inputType === 'date' ? inputType : `text (${String(inputType)})`;
}

export function answerKindOf(element: JsonObject): AnswerKind {
  const kind = questionKindOf(element);
  if (['radiogroup', 'dropdown'].includes(kind)) return 'one';
  if (['checkbox', 'tagbox'].includes(kind)) return 'several';
  if (kind === 'number' || (kind === 'rating' && !Array.isArray(element.rateValues))) return 'number';
  if (kind === 'date') return 'date';
  if (kind === 'text' || kind === 'comment') return 'words';
  if (kind === 'boolean') return 'yes or no';
  return ['html', 'image', 'panel'].includes(kind) ? 'none' : 'other';
}

export const asksNothing = (element: JsonObject): boolean =>
  ['html', 'image', 'expression', 'panel'].includes(String(element.type));

export const hasChoices = ({ type }: JsonObject): boolean =>
  ['radiogroup', 'checkbox', 'dropdown', 'tagbox', 'ranking'].includes(String(type));

const typeOf = (kind: QuestionKind): JsonObject =>
  kind === 'number' || kind === 'date' ? { type: 'text', inputType: kind } : { type: kind };

export function newElement(kind: QuestionKind, name: string): JsonObject {
  const { type, ...more } = typeOf(kind);
  const element = { type, name, ...more };
  if (kind === 'radiogroup' || kind === 'dropdown' || kind === 'checkbox') return { ...element, choices: [] };
  if (kind === 'matrix') return { ...element, columns: [], rows: [] };
  // By default, the forms library puts "No" first.
  if (kind === 'boolean') return { ...element, swapOrder: true };
  return kind === 'html' ? { ...element, html: '' } : element;
}

/** Properties that would mean something else for another type of answer. */
const KIND_PROPERTIES = [
  'inputType',
  'min',
  'max',
  'step',
  'minErrorText',
  'maxErrorText',
  'stepErrorText',
  'minValueExpression',
  'maxValueExpression',
  'maskType',
  'maskSettings',
  'defaultValue',
  'defaultValueExpression',
  'correctAnswer',
  'rows',
  'columns',
  'eachRowRequired',
  'isAllRowRequired',
];
const QUESTION_PROPERTIES = [
  'isRequired',
  'requiredIf',
  'requiredErrorText',
  'description',
  'validators',
  'valueName',
  'title',
];
const KINDS_WITH_LENGTH = ['text', 'comment'];

const hasProperty = (type: unknown, key: string) =>
  Serializer.findProperty(String(type), key) !== null &&
  Serializer.findProperty(String(type), key) !== undefined;

/** Keeps the properties the new type has too, and those unknown to the forms library. */
export function withQuestionKind(element: JsonObject, kind: QuestionKind): JsonObject {
  const before = questionKindOf(element);
  if (before === kind) return element;
  const { type, ...more } = typeOf(kind);
  const fresh = newElement(kind, '');
  const next: JsonObject = {};
  for (const [key, value] of Object.entries(element)) {
    if (key === 'type') Object.assign(next, { type, ...more });
    else if (key === 'maxLength' && !(KINDS_WITH_LENGTH.includes(before) && KINDS_WITH_LENGTH.includes(kind)))
      continue;
    else if (KIND_PROPERTIES.includes(key) || (kind === 'html' && QUESTION_PROPERTIES.includes(key)))
      continue;
    else if (key === 'validators') {
      const others = arrayOrEmpty(value).filter((one) => !isOfKind(one));
      if (others.length > 0) next[key] = others;
    } else if (hasProperty(type, key) || !hasProperty(element.type, key)) next[key] = value;
  }
  for (const key of ['choices', 'columns', 'rows']) if (key in fresh && !(key in next)) next[key] = [];
  if (kind === 'boolean') next.swapOrder = true;
  if (kind === 'matrix' && next.isRequired === true) next.eachRowRequired = true;
  if (kind === 'html') next.html = element.title ?? '';
  if (before === 'html' && element.html) next.title = withoutTags(element.html as LocalizedText);
  return next;
}

/**
 * Whether a check only makes sense for numbers or texts. Expressions may check anything, except those generated for
 * numbers.
 */
function isOfKind(validator: unknown): boolean {
  if (!isPlainObject(validator)) return false;
  return (
    validator.type !== 'expression' ||
    isWholeNumberCheck(validator) ||
    parseWarningValidator(validator) !== null
  );
}

export const isWholeNumberCheck = (validator: unknown): boolean =>
  isPlainObject(validator) &&
  validator.type === 'expression' &&
  /^\{([^{}]+)\} empty or \{\1\} % 1 = 0$/.test(String(validator.expression));

/** A number outside these bounds must be confirmed. */
export const WARNING_BOUND_OPERATORS = { min: '>=', max: '<=' } as const;
export type ConfirmedBound = keyof typeof WARNING_BOUND_OPERATORS;

export function parseWarningValidator(validator: unknown): { bound: ConfirmedBound; value: string } | null {
  if (!isPlainObject(validator) || validator.type !== 'expression') return null;
  if (validator.notificationType !== 'warning') return null;
  const check = /^\{([^{}]+)\} empty or \{\1\} ([<>]=) (-?\d+(?:\.\d+)?)$/;
  const [, , sign, value = ''] = check.exec(String(validator.expression)) ?? [];
  if (sign === undefined) return null;
  return { bound: sign === WARNING_BOUND_OPERATORS.min ? 'min' : 'max', value };
}

function withoutTags(words: LocalizedText): LocalizedText {
  const plain = (text: string) =>
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  if (typeof words === 'string') return plain(words);
  return Object.fromEntries(Object.entries(words).map(([language, text]) => [language, plain(text)]));
}
