/** Limits on answers that the builder can set: bounds, lengths, whole numbers. Other validators stay unchanged. */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { arrayOrEmpty, type JsonObject } from '../../element-paths.ts';
import type { LocalizedText } from '../../questionnaire-outline.ts';
import {
  type ConfirmedBound,
  isWholeNumberCheck,
  parseWarningValidator,
  questionKindOf,
  WARNING_BOUND_OPERATORS,
} from './question-kinds.ts';

type Bound =
  | 'min'
  | 'max'
  | 'maxLength'
  | 'minSelectedChoices'
  | 'maxSelectedChoices'
  | 'rateMin'
  | 'rateMax';

/** The bounds of each question type. */
const BOUNDS: Readonly<Record<string, readonly Bound[]>> = {
  number: ['min', 'max'],
  date: ['min', 'max'],
  text: ['maxLength'],
  comment: ['maxLength'],
  checkbox: ['minSelectedChoices', 'maxSelectedChoices'],
  tagbox: ['minSelectedChoices', 'maxSelectedChoices'],
  rating: ['rateMin', 'rateMax'],
};

export const answerLimitKeysOf = (element: JsonObject): readonly Bound[] =>
  BOUNDS[questionKindOf(element)] ?? [];

/** An empty value removes the bound. An invalid one changes nothing. */
export function withBound(element: JsonObject, bound: string, value: number | string | null): JsonObject {
  const { [bound]: before, ...rest } = element;
  if (value === null || value === '') return before === undefined ? element : rest;
  const counts = !['min', 'max'].includes(bound);
  if (typeof value === 'number' && (!Number.isFinite(value) || (counts && (value < 0 || value % 1 !== 0))))
    return element;
  return before === value ? element : { ...element, [bound]: value };
}

export const asksWholeNumber = (element: JsonObject): boolean =>
  arrayOrEmpty(element.validators).some(isWholeNumberCheck);

/** As in the shipped questionnaire: an expression, because the forms library's own check accepts fractions. */
export function withWholeNumberCheck(element: JsonObject, isOn: boolean, text: LocalizedText): JsonObject {
  const others = arrayOrEmpty(element.validators).filter((one) => !isWholeNumberCheck(one));
  const { validators: _, ...rest } = element;
  if (!isOn) return others.length > 0 ? { ...element, validators: others } : rest;
  if (asksWholeNumber(element)) return element;
  const name = String(element.valueName ?? element.name);
  const check = { type: 'expression', expression: `{${name}} empty or {${name}} % 1 = 0`, text };
  return { ...element, validators: [check, ...others] };
}

/** Empty if there is none. */
export const warningThresholdOf = (element: JsonObject, bound: ConfirmedBound): string =>
  arrayOrEmpty(element.validators)
    .map(parseWarningValidator)
    .find((one) => one?.bound === bound)?.value ?? '';

/** A value that isn't a number changes nothing. */
export function withUnusualBound(
  element: JsonObject,
  bound: ConfirmedBound,
  value: number | null,
  text: LocalizedText,
): JsonObject {
  if (value !== null && !Number.isFinite(value)) return element;
  const all = arrayOrEmpty(element.validators);
  const at = all.findIndex((one) => parseWarningValidator(one)?.bound === bound);
  const before = all[at];
  const name = String(element.valueName ?? element.name);
  const check = {
    type: 'expression',
    notificationType: 'warning',
    text,
    ...(isPlainObject(before) ? before : {}),
    expression: `{${name}} empty or {${name}} ${WARNING_BOUND_OPERATORS[bound]} ${value}`,
  };
  const next = value === null ? [] : [check];
  const validators = at < 0 ? [...all, ...next] : all.toSpliced(at, 1, ...next);
  const { validators: _, ...rest } = element;
  return validators.length > 0 ? { ...element, validators } : rest;
}

/** Checks that can only be changed in the JSON, including a second one of the same kind. */
export function checksEditableOnlyInJson(element: JsonObject): unknown[] {
  const unusual = new Set<ConfirmedBound>();
  return arrayOrEmpty(element.validators).filter((one) => {
    const bound = parseWarningValidator(one)?.bound;
    if (!bound || unusual.has(bound)) return !isWholeNumberCheck(one);
    unusual.add(bound);
    return false;
  });
}

/** The forms library accepts a required table once its first row is answered; here, every row must be. */
export const isRequired = (element: JsonObject): boolean =>
  questionKindOf(element) === 'matrix' ? requiresEachRow(element) : element.isRequired === true;

export const requiresAnyRow = (element: JsonObject): boolean =>
  questionKindOf(element) === 'matrix' && element.isRequired === true && !requiresEachRow(element);

const requiresEachRow = ({ eachRowRequired, isAllRowRequired }: JsonObject) =>
  eachRowRequired === true || isAllRowRequired === true;

export function withRequired(element: JsonObject, isOn: boolean): JsonObject {
  const isTable = questionKindOf(element) === 'matrix';
  if (isOn) return { ...element, isRequired: true, ...(isTable && { eachRowRequired: true }) };
  const dropped = ['isRequired', ...(isTable ? ['eachRowRequired', 'isAllRowRequired'] : [])];
  return Object.fromEntries(Object.entries(element).filter(([key]) => !dropped.includes(key)));
}
