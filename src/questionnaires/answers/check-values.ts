/**
 * Checks that a value fits its question, down to each choice. survey-core silently clears, cuts or keeps what does not
 * fit, so this checks the answers as they were sent.
 */
import type { Question } from 'survey-core';
import { type FAULTS, type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import {
  type AnswerValueKind,
  type AnyQuestion,
  answerFormOf,
  choiceValueOf,
} from '../definition/question-types.ts';

const MAX_TEXT = 10_000;

type Check = (question: AnyQuestion, value: unknown, path: string) => FieldError[];

const fault = <Code extends keyof typeof FAULTS>(
  ...error: Parameters<typeof fieldError<Code>>
): FieldError[] => [fieldError(...error)];

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);

const number: Check = (_question, value, path) => (isNumber(value) ? [] : fault(path, 'NOT_NUMBER'));

const words: Check = (question, value, path) => {
  if (typeof value !== 'string') return fault(path, 'ANSWER_NOT_TEXT');
  const max = Math.min(question.getMaxLength() || MAX_TEXT, MAX_TEXT);
  return value.length <= max ? [] : fault(path, 'ANSWER_TOO_LONG', { count: max });
};

export function checkAnswerComment(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string') return fault(path, 'ANSWER_NOT_TEXT');
  return value.length <= MAX_TEXT ? [] : fault(path, 'ANSWER_TOO_LONG', { count: MAX_TEXT });
}

/** One choice: its value, or `{ value, comment }` if the choice has a remark field. */
function isChoice(question: AnyQuestion, sentValue: unknown): boolean {
  const choices = question.visibleChoices ?? [];
  const hasRemark =
    isPlainObject(sentValue) && Object.keys(sentValue).every((key) => key === 'value' || key === 'comment');
  if (hasRemark && (sentValue.comment === undefined || typeof sentValue.comment === 'string')) {
    return choices.some((choice) => choice.value === sentValue.value);
  }
  if (choices.some((choice) => choice.value === sentValue)) return true;
  // The questionnaire may store free text ("other") in the answer itself.
  const takesWords =
    question.allowCustomChoices || (question.hasOther && !question.getStoreOthersAsComment());
  return takesWords && typeof sentValue === 'string' && sentValue.length <= MAX_TEXT;
}

const oneChoice: Check = (question, value, path) =>
  isChoice(question, value) ? [] : fault(path, 'NO_CHOICE');

const someChoices: Check = (question, value, path) => {
  if (!Array.isArray(value)) return fault(path, 'NOT_CHOICES');
  const sentValues = value.map((item: unknown) => choiceValueOf(item, question.valuePropertyName));
  const errors = sentValues.flatMap((item, index) =>
    isChoice(question, item) ? [] : fault(`${path}.${index}`, 'NO_CHOICE'),
  );
  if (errors.length > 0) return errors;
  if (new Set(sentValues).size < sentValues.length) return fault(path, 'CHOICE_TWICE');
  const max = question.maxSelectedChoices;
  if (max > 0 && sentValues.length > max) return fault(path, 'TOO_MANY_CHOICES', { count: max });
  const exclusiveChoices = (question.visibleChoices ?? []).filter(
    (choice) =>
      (choice as unknown as { isExclusive?: boolean }).isExclusive ||
      ['none', 'refused', 'dontknow'].includes(String(choice.id)),
  );
  const clash =
    sentValues.length > 1 && exclusiveChoices.some((choice) => sentValues.includes(choice.value as unknown));
  return clash ? fault(path, 'CHOICE_ALONE') : [];
};

const yesOrNo: Check = (question, value, path) => {
  const [first, second]: unknown[] = [question.valueTrue ?? true, question.valueFalse ?? false];
  const fits = value === first || value === second;
  return fits ? [] : fault(path, 'NOT_EITHER', { first: String(first), second: String(second) });
};

const rate: Check = (question, value, path) =>
  question.visibleRateValues?.some((rate) => rate.value === value) ? [] : fault(path, 'NO_CHOICE');

const numbers: Check = (_question, value, path) => {
  const areNumbers = Array.isArray(value) && value.length <= 10 && value.every(isNumber);
  return areNumbers ? [] : fault(path, 'NOT_NUMBERS');
};

const someAreas: Check = ({ areas, multiSelect }, value, path) => {
  const sentValues: unknown[] = multiSelect && Array.isArray(value) ? value : [value];
  return sentValues.every((one) => areas.some((area) => area.value === one)) ? [] : fault(path, 'NO_CHOICE');
};

const column: Check = ({ columns }, value, path) =>
  columns.some((one) => one.value === value) ? [] : fault(path, 'NO_CHOICE');

const columnsByRow: Check = (question, value, path) => {
  if (!isPlainObject(value)) return fault(path, 'NOT_ROWS');
  return Object.entries(value).flatMap(([row, sentValue]) => {
    const at = `${path}.${row}`;
    if (!question.rows.some((one) => String(one.value) === row)) return fault(at, 'NO_ROW');
    const cells: unknown[] =
      question.cellType === 'checkbox' && Array.isArray(sentValue) ? sentValue : [sentValue];
    return cells.flatMap((cell) => column(question, cell, at)).slice(0, 1);
  });
};

const lines: Check = (question, value, path) => {
  if (!isPlainObject(value)) return fault(path, 'NOT_LINES');
  return Object.entries(value).flatMap(([name, sentValue]) => {
    const item = question.items.find((one) => one.name === name);
    if (!item) return fault(`${path}.${name}`, 'NO_LINE');
    const check = answerFormOf(item.editor) === 'number' ? number : words;
    return check(item.editor as AnyQuestion, sentValue, `${path}.${name}`);
  });
};

/** Calculated on the device, possibly from its clock: any plain value is accepted. */
const computed: Check = (_question, value, path) => {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= MAX_TEXT;
  return isPlain ? [] : fault(path, 'NOT_PLAIN');
};

/** Rows and panels of questions; the questions inside are checked one by one. */
const rowList: Check = (_question, value, path) =>
  Array.isArray(value) && value.every(isPlainObject) ? [] : fault(path, 'NOT_OBJECTS');

const rowObject: Check = (_question, value, path) =>
  isPlainObject(value) && Object.values(value).every(isPlainObject) ? [] : fault(path, 'NOT_ROWS');

const CHECKS: Readonly<Record<AnswerValueKind, Check>> = {
  words,
  number,
  numbers,
  'yes or no': yesOrNo,
  choice: oneChoice,
  choices: someChoices,
  order: someChoices,
  rate,
  area: someAreas,
  areas: someAreas,
  lines,
  column,
  columns: columnsByRow,
  rows: rowObject,
  'row list': rowList,
  panels: rowList,
  computed,
};

/** Checks the value itself, but not the questions inside it. */
export function checkValue(question: Question, value: unknown, path: string): FieldError[] {
  if (value === null) return fault(path, 'NO_ANSWER');
  const form = answerFormOf(question);
  if (!form) return fault(path, 'NOT_KEPT');
  return CHECKS[form](question as AnyQuestion, value, path);
}

export interface NestedQuestions {
  key: string;
  questions: Question[];
}

/** The panels or rows inside a question, as survey-core built them from the answers, each with its key or index. */
export function nestedQuestionsIn(question: Question): NestedQuestions[] | null {
  const form = answerFormOf(question);
  const { panels, visibleRows } = question as AnyQuestion;
  if (form === 'panels')
    return panels.map((panel, index) => ({ key: String(index), questions: panel.questions }));
  if (form !== 'row list' && form !== 'rows') return null;
  return visibleRows.map(({ rowName, questions }, index) => ({
    key: String(form === 'rows' ? rowName : index),
    questions,
  }));
}

/** Clears answers to hidden questions inside repeats and tables, which the library doesn't clear. */
export function clearHiddenNestedAnswers(questions: readonly Question[]): void {
  for (const { questions: inside } of questions.flatMap((one) => nestedQuestionsIn(one) ?? [])) {
    for (const one of inside) one.clearValueIfInvisible('onComplete');
    clearHiddenNestedAnswers(inside);
  }
}

/** The questions inside a multiple-text question; their errors are on the inner editors. */
export function innerTextQuestionsOf(question: Question): { name: string; editor: Question }[] {
  return answerFormOf(question) === 'lines' ? (question as AnyQuestion).items : [];
}
