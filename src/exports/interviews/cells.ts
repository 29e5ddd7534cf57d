/** Answers as table cells: the columns for a type of answer, and the cells that an answer fills. */

import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import {
  type AnswerChoice,
  type AnswerShape,
  type AnswerShapesByKey,
  COMMENT_SUFFIX,
  prefixTexts,
} from '../../questionnaires/codebook/answer-shape.ts';
import type { TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import { unselectedLabel } from '../../questionnaires/codebook/unselected.ts';
import { choiceValueOf } from '../../questionnaires/definition/question-types.ts';

export type ExportCell = string | number | boolean;

export interface ExportColumn {
  name: string;
  type: string;
  text: TextByLanguage;
  /** The possible values, if there are only a few. */
  values: { value: string; text: TextByLanguage }[];
  /** Values of earlier versions, each with the one that is written instead. */
  former?: [former: string, later: string][];
}

const YES = (choice: AnswerChoice): ExportColumn['values'] => [
  { value: '1', text: choice.text },
  { value: '0', text: unselectedLabel(choice.text) },
];

/** Question names contain no dots, so a dot can separate a name from its parts. */
export function columnsOfAnswer(shape: AnswerShape, name: string): ExportColumn[] {
  if (shape.kind === 'parts') {
    return shape.parts.flatMap(([key, part]) => columnsOfAnswer(part, `${name}.${key}`));
  }
  if (shape.kind === 'list') {
    return Array.from({ length: shape.count }, (_, at) =>
      columnsOfAnswer(shape.item, `${name}.${at + 1}`),
    ).flat();
  }
  const { type, text, choices } = shape;
  const remarks = choices
    .filter((choice) => choice.remark)
    .map((choice) => ({
      name: remarkOf(name, choice.value),
      type: 'text',
      text: withChoice(text, choice),
      values: [],
    }));
  if (shape.kind === 'one') return [{ name, type, text, values: choices }, ...remarks];
  const each = choices.map((choice) => ({
    name: `${name}.${choice.value}`,
    type,
    text: withChoice(text, choice),
    values: shape.ranked ? [] : YES(choice),
  }));
  return [...each, ...remarks];
}

const withChoice = (text: TextByLanguage, choice: AnswerChoice): TextByLanguage =>
  prefixTexts(text, choice.text);

const remarkOf = (name: string, value: string) => `${name}.${value}${COMMENT_SUFFIX}`;

type Put = (name: string, cell: ExportCell) => void;

/** Writes an answer into its cells. Returns the part that has no column, or undefined if there is none. */
export function writeAnswerCells(shape: AnswerShape, name: string, answer: unknown, put: Put): unknown {
  if (answer === undefined || answer === null) return undefined;
  switch (shape.kind) {
    case 'one':
      return fillOne(shape.choices, name, answer, put, (value) => put(name, value));
    case 'each':
      return fillEach(shape, name, answer, put);
    case 'list':
      return fillList(shape, name, answer, put);
    default:
      return fillParts(shape.parts, name, answer, put);
  }
}

/** A choice with a remark is stored as `{ value, comment }`. */
function fillOne(
  choices: AnswerChoice[],
  name: string,
  answer: unknown,
  put: Put,
  take: (value: ExportCell) => void,
): unknown {
  const { value, comment } = isPlainObject(answer) ? answer : { value: answer, comment: undefined };
  if (!isCell(value)) return answer;
  if (comment !== undefined) {
    const hasRemark = choices.some((choice) => choice.remark && choice.value === String(value));
    if (!hasRemark || !isCell(comment)) return answer;
    put(remarkOf(name, String(value)), comment);
  }
  take(value);
  return undefined;
}

const isCell = (value: unknown): value is ExportCell =>
  ['string', 'number', 'boolean'].includes(typeof value);

function fillEach(shape: AnswerShape & { kind: 'each' }, name: string, answer: unknown, put: Put): unknown {
  if (!Array.isArray(answer)) return answer;
  const values = new Set(shape.choices.map((choice) => choice.value));
  for (const value of values) put(`${name}.${value}`, shape.ranked ? '' : 0);
  const remaining = answer.filter((item: unknown, at) => {
    let isPlaced = false;
    const choice = choiceValueOf(item, shape.property);
    fillOne(shape.choices, name, choice, put, (value) => {
      isPlaced = values.has(String(value));
      if (isPlaced) put(`${name}.${value}`, shape.ranked ? at + 1 : 1);
    });
    // A panel may contain more than the choice.
    return !isPlaced || (choice !== item && Object.keys(item as object).length > 1);
  });
  return remaining.length > 0 ? remaining : undefined;
}

function fillList(
  { count, item }: AnswerShape & { kind: 'list' },
  name: string,
  answer: unknown,
  put: Put,
): unknown {
  if (!Array.isArray(answer)) return answer;
  const remaining = answer.flatMap((one: unknown, at) => {
    const rest = at < count ? writeAnswerCells(item, `${name}.${at + 1}`, one, put) : one;
    return rest === undefined ? [] : [[String(at + 1), rest] as const];
  });
  return remaining.length > 0 ? Object.fromEntries(remaining) : undefined;
}

function fillParts(parts: AnswerShapesByKey, name: string, answer: unknown, put: Put): unknown {
  if (!isPlainObject(answer)) return answer;
  const byKey = new Map(parts);
  const remaining = Object.entries(answer).flatMap(([key, one]) => {
    const part = byKey.get(key);
    const rest = part ? writeAnswerCells(part, `${name}.${key}`, one, put) : one;
    return rest === undefined || rest === null ? [] : [[key, rest] as const];
  });
  return remaining.length > 0 ? Object.fromEntries(remaining) : undefined;
}
