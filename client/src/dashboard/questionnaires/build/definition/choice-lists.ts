/** The choices of a question, and the rows and columns of a matrix: stored values with their texts. */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { arrayOrEmpty, type JsonObject, moveItem, numberedName } from '../../element-paths.ts';
import type { LocalizedText } from '../../questionnaire-outline.ts';
import { nameFrom } from './element-names.ts';

export const LIST_PROPERTIES = ['choices', 'columns', 'rows'] as const;
export type QuestionListName = (typeof LIST_PROPERTIES)[number];
const NAME_STEMS: Record<QuestionListName, string> = { choices: 'choice', columns: 'column', rows: 'row' };

export interface ElementListItem {
  /** The stored value; numbers stay numbers. */
  value: unknown;
  words: LocalizedText;
}

export function elementListItemsOf(element: JsonObject, list: QuestionListName): ElementListItem[] {
  return arrayOrEmpty(element[list]).map((one) => {
    if (!isPlainObject(one)) return { value: one, words: String(one) };
    const words =
      typeof one.text === 'string' || isPlainObject(one.text) ? (one.text as LocalizedText) : null;
    return { value: one.value, words: words ?? String(one.value) };
  });
}

/**
 * The lists that the builder can edit. A comment's `rows` is a number, and a dynamic table's columns are questions.
 */
export const editableListKeysOf = (element: JsonObject): QuestionListName[] => {
  const own = element.type === 'matrix' ? (['columns', 'rows'] as const) : (['choices'] as const);
  return own.filter((list) => Array.isArray(element[list]) || element.type === 'matrix');
};

const withList = (
  element: JsonObject,
  list: QuestionListName,
  change: (items: unknown[]) => unknown[],
): JsonObject => ({
  ...element,
  [list]: change(arrayOrEmpty(element[list])),
});

const valueOfItem = (item: unknown): unknown => (isPlainObject(item) ? item.value : item);

export function withNewListItem(element: JsonObject, list: QuestionListName): JsonObject {
  const usedValues = new Set(
    arrayOrEmpty(element[list]).map((one) => String(valueOfItem(one)).toLowerCase()),
  );
  const value = numberedName(usedValues, NAME_STEMS[list]);
  return withList(element, list, (items) => [...items, { value, text: '' }]);
}

export const withoutListItem = (element: JsonObject, list: QuestionListName, index: number): JsonObject =>
  withList(element, list, (items) => items.toSpliced(index, 1));

export function withItemMoved(
  element: JsonObject,
  list: QuestionListName,
  index: number,
  step: -1 | 1,
): JsonObject {
  const items = arrayOrEmpty(element[list]);
  const after = moveItem(items, index, index + step);
  return after === items ? element : { ...element, [list]: after };
}

/** Changes the stored value and keeps the text, which may have been the old value itself. */
export function withItemValue(
  element: JsonObject,
  list: QuestionListName,
  index: number,
  value: string,
): JsonObject {
  return withList(element, list, (items) =>
    items.map((one, at) => {
      if (at !== index || String(valueOfItem(one)) === value) return one;
      return isPlainObject(one) ? { ...one, value } : { value, text: String(one) };
    }),
  );
}

/** Derives the value from the text while the choice still has its automatic value. */
export function withItemValueFromText(
  element: JsonObject,
  list: QuestionListName,
  index: number,
  text: string,
): JsonObject {
  const items = arrayOrEmpty(element[list]);
  const usedValues = new Set(
    items.flatMap((one, at) => (at === index ? [] : [String(valueOfItem(one)).toLowerCase()])),
  );
  const preferredName = nameFrom(text);
  if (preferredName === '' || usedValues.has(preferredName.toLowerCase())) return element;
  return withItemValue(element, list, index, preferredName);
}

/** The forms library's built-in choices, with their properties. */
export const SPECIAL_CHOICES = {
  refuse: { flag: 'showRefuseItem', words: 'refuseText', beside: [] },
  dontKnow: { flag: 'showDontKnowItem', words: 'dontKnowText', beside: [] },
  none: { flag: 'showNoneItem', words: 'noneText', beside: [] },
  other: { flag: 'showOtherItem', words: 'otherText', beside: ['otherPlaceholder', 'otherErrorText'] },
} as const;
export type SpecialChoice = keyof typeof SPECIAL_CHOICES;

export const hasSpecialChoice = (element: JsonObject, offer: SpecialChoice): boolean =>
  element[SPECIAL_CHOICES[offer].flag] === true;

/** Uses the text from elsewhere in the questionnaire, or else this one. */
export function withSpecialChoice(
  element: JsonObject,
  offer: SpecialChoice,
  isOn: boolean,
  words: LocalizedText | null,
): JsonObject {
  const { flag, words: key, beside: others } = SPECIAL_CHOICES[offer];
  if (isOn) return { ...element, [flag]: true, ...(words === null ? {} : { [key]: words }) };
  const removed: string[] = [flag, key, ...others];
  return Object.fromEntries(Object.entries(element).filter(([one]) => !removed.includes(one)));
}
