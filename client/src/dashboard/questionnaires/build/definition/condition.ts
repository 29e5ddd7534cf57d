/**
 * Conditions built by clicking: a list of clauses, all or any of which must be true. Anything more complex (brackets,
 * sums, functions) stays text. Unedited clauses are kept character by character.
 */

import { type ElementPlace, elementsWithPlaces, type JsonObject } from '../../element-paths.ts';
import {
  type Clause,
  type Condition,
  type ConditionOperator,
  readClause,
  splitCondition,
} from '../../questionnaire-logic.ts';
import { isLocalizedText, type LocalizedText } from '../../questionnaire-outline.ts';
import { expressionResultKind } from './change-closing-and-calculated.ts';
import { elementListItemsOf, hasSpecialChoice, SPECIAL_CHOICES, type SpecialChoice } from './choice-lists.ts';
import { calculatedIn } from './closing-and-calculated.ts';
import { type AnswerKind, answerKindOf } from './question-kinds.ts';

/** Something a condition can refer to. */
export interface ConditionVariable {
  name: string;
  answers: AnswerKind;
  words: LocalizedText;
  choices: { value: unknown; words: LocalizedText }[];
  /** Calculated by the questionnaire, so it has no question text. */
  isCalculated?: true;
}

export interface ConditionPart {
  text: string;
  clause: Clause;
}

export interface ClickableCondition {
  join: Condition['join'];
  parts: ConditionPart[];
}

const CAME_WITH_COUPON: ConditionVariable = {
  name: 'cameWithCoupon',
  answers: 'one',
  words: 'cameWithCoupon',
  choices: [
    { value: 'yes', words: 'yes' },
    { value: 'no', words: 'no' },
  ],
};

/** Values that the forms library stores for its built-in choices. */
const VALUE_OF: Record<SpecialChoice, string> = {
  refuse: 'refused',
  dontKnow: 'dontknow',
  none: 'none',
  other: 'other',
};

function sourceOf(element: JsonObject): ConditionVariable {
  const name = String(element.valueName ?? element.name);
  const own = (Object.keys(SPECIAL_CHOICES) as SpecialChoice[]).flatMap((offer) => {
    const words = element[SPECIAL_CHOICES[offer].words];
    const value = VALUE_OF[offer];
    return hasSpecialChoice(element, offer) ? [{ value, words: isLocalizedText(words) ? words : value }] : [];
  });
  const words = isLocalizedText(element.title) ? element.title : String(element.name);
  const either = ownYesAndNo(element);
  if (either) return { name, answers: 'one', words, choices: either };
  return {
    name,
    answers: answerKindOf(element),
    words,
    choices: [...elementListItemsOf(element, 'choices'), ...own],
  };
}

/** A yes/no question may store custom values instead of true and false. */
function ownYesAndNo({
  type,
  valueTrue,
  valueFalse,
  labelTrue,
  labelFalse,
}: JsonObject): ConditionVariable['choices'] | null {
  if (type !== 'boolean' || (valueTrue === undefined && valueFalse === undefined)) return null;
  return [
    { value: valueTrue ?? true, words: isLocalizedText(labelTrue) ? labelTrue : String(valueTrue ?? true) },
    {
      value: valueFalse ?? false,
      words: isLocalizedText(labelFalse) ? labelFalse : String(valueFalse ?? false),
    },
  ];
}

/** What is answered before this place, or anywhere in the questionnaire if null. */
export function conditionSourcesBefore(definition: object, place: ElementPlace | null): ConditionVariable[] {
  const isBefore = (one: ElementPlace) => {
    if (place === null) return true;
    const at = one.findIndex((step, index) => step !== place[index]);
    return at >= 0 && at < place.length && (one[at] ?? 0) < (place[at] ?? 0);
  };
  const sources = elementsWithPlaces(definition)
    .filter((one) => one.place.length > 1 && isBefore(one.place))
    .map(({ element }) => sourceOf(element))
    .filter(({ answers }) => answers !== 'none');
  const workedOut = calculatedIn(definition).map(({ name, expression }): ConditionVariable => {
    const answers = expressionResultKind(expression);
    return { name, answers, words: name, choices: [], isCalculated: true };
  });
  // Eligibility and closing texts only use stored values, and this one isn't stored.
  return [...sources, ...workedOut, ...(place === null ? [] : [CAME_WITH_COUPON])];
}

const ALWAYS_USABLE: ConditionOperator[] = ['notempty', 'empty'];
const OPERATORS: Record<AnswerKind, ConditionOperator[]> = {
  one: ['anyof', 'noneof', ...ALWAYS_USABLE],
  several: ['anyof', 'allof', 'noneof', ...ALWAYS_USABLE],
  number: ['equal', 'notequal', 'greater', 'greaterorequal', 'less', 'lessorequal', ...ALWAYS_USABLE],
  date: ['equal', 'greaterorequal', 'lessorequal', ...ALWAYS_USABLE],
  words: [...ALWAYS_USABLE, 'equal', 'notequal'],
  'yes or no': ['equal', 'notequal', ...ALWAYS_USABLE],
  other: ALWAYS_USABLE,
  none: ALWAYS_USABLE,
};

export const operatorsFor = ({ answers }: ConditionVariable): ConditionOperator[] => OPERATORS[answers];
export const takesValue = (operator: ConditionOperator): boolean => !ALWAYS_USABLE.includes(operator);
export const takesSeveralValues = (operator: ConditionOperator): boolean =>
  ['anyof', 'noneof', 'allof'].includes(operator);

/** A clause with one value is written, and read, in plain form: `= 'yes'`, `contains 'tent'`. */
const PLAIN_OPERATORS: Record<'one' | 'several', Partial<Record<ConditionOperator, ConditionOperator>>> = {
  one: { anyof: 'equal', noneof: 'notequal' },
  several: { anyof: 'contains', noneof: 'notcontains', allof: 'contains' },
};

/** The clause as shown in the builder: `= 'yes'` for a choice becomes "one of: yes". */
export function toBuilderClause(clause: Clause, source: ConditionVariable | undefined): Clause {
  if (source?.answers !== 'one' && source?.answers !== 'several') return clause;
  const plain = PLAIN_OPERATORS[source.answers];
  const listOperator = (['anyof', 'noneof'] as const).find((operator) => plain[operator] === clause.operator);
  return listOperator ? { ...clause, operator: listOperator } : clause;
}

const SIGNS: Partial<Record<ConditionOperator, string>> = {
  equal: '=',
  notequal: '<>',
  greater: '>',
  greaterorequal: '>=',
  less: '<',
  lessorequal: '<=',
};

/** Null if there is no value, or one that can't be quoted. */
export function writeClause(clicked: Clause, source: ConditionVariable | undefined): string | null {
  const name = `{${clicked.question}}`;
  const { values } = clicked;
  if (!takesValue(clicked.operator)) return `${name} ${clicked.operator}`;
  const quoted = values.map((value) => quote(value, source));
  if (quoted.length === 0 || quoted.some((one) => one === null)) return null;
  const plain =
    quoted.length === 1 && (source?.answers === 'one' || source?.answers === 'several')
      ? (PLAIN_OPERATORS[source.answers][clicked.operator] ?? clicked.operator)
      : clicked.operator;
  const isList = takesSeveralValues(plain);
  return `${name} ${SIGNS[plain] ?? plain} ${isList ? `[${quoted.join(', ')}]` : quoted[0]}`;
}

function quote(value: string, source: ConditionVariable | undefined): string | null {
  const choice = source?.choices.find((one) => String(one.value) === value);
  const isBare =
    (choice && typeof choice.value !== 'string') ||
    (source?.answers === 'number' && /^-?\d+(\.\d+)?$/.test(value)) ||
    (source?.answers === 'yes or no' && /^(true|false)$/.test(value));
  if (isBare) return value;
  if (!value.includes("'")) return `'${value}'`;
  return value.includes('"') ? null : `"${value}"`;
}

/** Null if clicking can't express the condition. */
export function parseClickableCondition(text: string): ClickableCondition | null {
  if (text.trim() === '') return { join: 'and', parts: [] };
  const apart = splitCondition(text);
  if (!apart) return null;
  const parts = apart.texts.map((one) => ({ text: one.trim(), clause: readClause(one) }));
  return parts.every((part): part is ConditionPart => part.clause !== null)
    ? { join: apart.join, parts }
    : null;
}

/** Empty if there are no clauses. */
export const formatEditableCondition = ({ join, parts }: ClickableCondition): string =>
  parts.map(({ text }) => text).join(` ${join} `);

/** The first clause about a newly selected question: "yes" if that is an answer, otherwise "is answered". */
export function initialClauseFor(source: ConditionVariable): ConditionPart {
  const clause: Clause = { question: source.name, operator: 'notempty', values: [] };
  if (source.answers === 'yes or no') return withOperator(clause, 'equal', source);
  if (source.answers === 'one' && source.choices.some(({ value }) => value === 'yes'))
    return withOperator({ ...clause, values: ['yes'] }, 'anyof', source);
  return { clause, text: `{${source.name}} notempty` };
}

/** Changes the operator. Keeps the values it can take, or uses the first available one. */
export function withOperator(
  clause: Clause,
  operator: ConditionOperator,
  source: ConditionVariable,
): ConditionPart {
  const first = source.choices[0]?.value;
  const fallback =
    source.answers === 'number'
      ? ['0']
      : source.answers === 'yes or no'
        ? ['true']
        : // Still to be filled in; draft-warnings.ts reports it.
          [first === undefined ? '' : String(first)];
  const newValues = takesSeveralValues(operator) ? clause.values : clause.values.slice(0, 1);
  const values = takesValue(operator) ? (newValues.length > 0 ? newValues : fallback) : [];
  const next = { ...clause, operator, values };
  return { clause: next, text: writeClause(next, source) ?? `{${clause.question}} notempty` };
}
