/** Limits on answers that the builder can set: bounds, lengths, whole numbers. Other validators stay unchanged. */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { asArray, type Json } from '../../element-paths.ts';
import type { LocalizedText } from '../../questionnaire-outline.ts';
import {
  CONFIRMED_BOUNDS,
  type ConfirmedBound,
  isWholeNumber,
  questionKindOf,
  unusualBoundIn,
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

export const boundsOf = (element: Json): readonly Bound[] => BOUNDS[questionKindOf(element)] ?? [];

/** An empty value removes the bound. An invalid one changes nothing. */
export function withBound(element: Json, bound: string, value: number | string | null): Json {
  const { [bound]: before, ...rest } = element;
  if (value === null || value === '') return before === undefined ? element : rest;
  const counts = !['min', 'max'].includes(bound);
  if (typeof value === 'number' && (!Number.isFinite(value) || (counts && (value < 0 || value % 1 !== 0))))
    return element;
  return before === value ? element : { ...element, [bound]: value };
}

export const asksWholeNumber = (element: Json): boolean => asArray(element.validators).some(isWholeNumber);

/** As in the shipped questionnaire: an expression, because the forms library's own check accepts fractions. */
export function withWholeNumberCheck(element: Json, isOn: boolean, text: LocalizedText): Json {
  const others = asArray(element.validators).filter((one) => !isWholeNumber(one));
  const { validators: _, ...rest } = element;
  if (!isOn) return others.length > 0 ? { ...element, validators: others } : rest;
  if (asksWholeNumber(element)) return element;
  const name = String(element.valueName ?? element.name);
  const check = { type: 'expression', expression: `{${name}} empty or {${name}} % 1 = 0`, text };
  return { ...element, validators: [check, ...others] };
}

/** Empty if there is none. */
export const unusualBoundOf = (element: Json, bound: ConfirmedBound): string =>
  asArray(element.validators)
    .map(unusualBoundIn)
    .find((one) => one?.bound === bound)?.value ?? '';

/** A value that isn't a number changes nothing. */
export function withUnusualBound(
  element: Json,
  bound: ConfirmedBound,
  value: number | null,
  text: LocalizedText,
): Json {
  if (value !== null && !Number.isFinite(value)) return element;
  const all = asArray(element.validators);
  const at = all.findIndex((one) => unusualBoundIn(one)?.bound === bound);
  const before = all[at];
  const name = String(element.valueName ?? element.name);
  const check = {
    type: 'expression',
    notificationType: 'warning',
    text,
    ...(isPlainObject(before) ? before : {}),
    expression: `{${name}} empty or {${name}} ${CONFIRMED_BOUNDS[bound]} ${value}`,
  };
  const next = value === null ? [] : [check];
  const validators = at < 0 ? [...all, ...next] : all.toSpliced(at, 1, ...next);
  const { validators: _, ...rest } = element;
  return validators.length > 0 ? { ...element, validators } : rest;
}

/** Checks that can only be changed in the JSON, including a second one of the same kind. */
export function checksOnlyInJson(element: Json): unknown[] {
  const unusual = new Set<ConfirmedBound>();
  return asArray(element.validators).filter((one) => {
    const bound = unusualBoundIn(one)?.bound;
    if (!bound || unusual.has(bound)) return !isWholeNumber(one);
    unusual.add(bound);
    return false;
  });
}

/** The forms library accepts a required table once its first row is answered; here, every row must be. */
export const isRequired = (element: Json): boolean =>
  questionKindOf(element) === 'matrix' ? requiresEachRow(element) : element.isRequired === true;

export const requiresAnyRow = (element: Json): boolean =>
  questionKindOf(element) === 'matrix' && element.isRequired === true && !requiresEachRow(element);

const requiresEachRow = ({ eachRowRequired, isAllRowRequired }: Json) =>
  eachRowRequired === true || isAllRowRequired === true;

export function withRequired(element: Json, isOn: boolean): Json {
  const isTable = questionKindOf(element) === 'matrix';
  if (isOn) return { ...element, isRequired: true, ...(isTable && { eachRowRequired: true }) };
  const dropped = ['isRequired', ...(isTable ? ['eachRowRequired', 'isAllRowRequired'] : [])];
  return Object.fromEntries(Object.entries(element).filter(([key]) => !dropped.includes(key)));
}
