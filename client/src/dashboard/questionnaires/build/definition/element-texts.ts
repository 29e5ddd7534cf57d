/** The texts of a page or question in all languages. */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { arrayOrEmpty, type ElementPlace, elementsWithPlaces, type JsonObject } from '../../element-paths.ts';
import { isLocalizedText, type LocalizedText } from '../../questionnaire-outline.ts';
import {
  type ElementListItem,
  editableListKeysOf,
  elementListItemsOf,
  type QuestionListName,
} from './choice-lists.ts';
import { asksNothing, hasChoices } from './question-kinds.ts';
import SHIPPED_TEXTS from './usual-texts.json' with { type: 'json' };

/** In reading order. Some only appear once they are needed. */
const ROLES = [
  'title',
  'html',
  'description',
  'refuseText',
  'dontKnowText',
  'noneText',
  'otherText',
  'otherPlaceholder',
  'otherErrorText',
  'minRateDescription',
  'maxRateDescription',
  'labelTrue',
  'labelFalse',
  'placeholder',
  'requiredErrorText',
  'minErrorText',
  'maxErrorText',
] as const;
export type TextRole = (typeof ROLES)[number];

/** The text in this language only, without fallback. */
export function textWithoutFallback(words: LocalizedText, language: string): string {
  if (typeof words === 'string') return language === 'en' ? words : '';
  return words[language] ?? (language === 'en' ? (words.default ?? '') : '');
}

/** Texts that can be added even if they don't exist yet. */
function rolesOf(element: JsonObject, place: ElementPlace): readonly TextRole[] {
  if (place.length === 1 || element.type === 'panel') return ['title', 'description'];
  if (element.type === 'html') return ['html'];
  if (element.type === 'image' || element.type === 'expression') return ['title'];
  if (element.type === 'rating') return ['title', 'description', 'minRateDescription', 'maxRateDescription'];
  return ['title', 'description'];
}

export interface ElementText {
  role: TextRole;
  words: LocalizedText | undefined;
}

export function textsOfElement(element: JsonObject, place: ElementPlace): ElementText[] {
  const open = rolesOf(element, place);
  return ROLES.flatMap((role): ElementText[] => {
    const words = element[role];
    if (isLocalizedText(words)) return [{ role, words }];
    return open.includes(role) ? [{ role, words: undefined }] : [];
  });
}

/** `words` with this text in this language; undefined if nothing is left. */
export function withTextInLanguage(
  words: LocalizedText | undefined,
  language: string,
  text: string,
): LocalizedText | undefined {
  if (words === undefined || words === '') {
    if (text === '') return undefined;
    return language === 'en' ? text : { [language]: text };
  }
  if (typeof words === 'string') {
    if (language === 'en') return text === '' ? undefined : text;
    return text === '' ? words : { default: words, [language]: text };
  }
  const key = language === 'en' && !('en' in words) ? 'default' : language;
  const { [key]: _, ...rest } = words;
  if (text === '') return Object.keys(rest).length > 0 ? rest : undefined;
  return { ...words, [key]: text };
}

const MAY_BE_EMPTY = ['html'];

export function withElementText(
  element: JsonObject,
  role: TextRole | QuestionnaireTextProperty,
  language: string,
  text: string,
): JsonObject {
  const before = element[role];
  const words = withTextInLanguage(isLocalizedText(before) ? before : undefined, language, text);
  if (words === before) return element;
  if (words !== undefined) return { ...element, [role]: words };
  if (MAY_BE_EMPTY.includes(role)) return { ...element, [role]: '' };
  const { [role]: _, ...rest } = element;
  return rest;
}

/** A choice without a text shows its value, which becomes its English text once it gets one in another language. */
export function withItemText(
  element: JsonObject,
  list: QuestionListName,
  index: number,
  language: string,
  text: string,
): JsonObject {
  const items = Array.isArray(element[list]) ? (element[list] as unknown[]) : [];
  const change = (one: unknown): unknown => {
    const item = isPlainObject(one) ? one : { value: one };
    const before = isLocalizedText(item.text) ? item.text : String(item.value);
    return { ...item, text: withTextInLanguage(before, language, text) ?? '' };
  };
  return { ...element, [list]: items.map((one, at) => (at === index ? change(one) : one)) };
}

/** Keeps only the questionnaire's languages. */
export function inQuestionnaireLanguages(definition: object, words: Record<string, string>): LocalizedText {
  const spokenLanguages = languagesIn(definition);
  const own = Object.entries(words).filter(([one]) => one === 'default' || spokenLanguages.includes(one));
  return own.length === 1 ? (words.default ?? '') : Object.fromEntries(own);
}

/**
 * The text from elsewhere in the questionnaire, or else from the shipped one. Its texts are copied to a file of their
 * own, because the whole questionnaire is large.
 */
export function standardTextFor(definition: object, key: keyof typeof SHIPPED_TEXTS): LocalizedText {
  for (const { element } of elementsWithPlaces(definition))
    if (isLocalizedText(element[key])) return element[key];
  return inQuestionnaireLanguages(definition, SHIPPED_TEXTS[key]);
}

/** The questions of a repeated group, which have no rows in the outline. */
export const questionsOfRepeat = (element: JsonObject): { key: string; index: number; inner: JsonObject }[] =>
  ['templateElements', ...(element.type === 'panel' ? ['elements'] : [])].flatMap((key) =>
    arrayOrEmpty(element[key]).flatMap((inner, index) =>
      isPlainObject(inner) ? [{ key, index, inner }] : [],
    ),
  );

export const withListItemChanged = (
  element: JsonObject,
  key: string,
  index: number,
  change: (inner: JsonObject) => JsonObject,
): JsonObject => ({
  ...element,
  [key]: arrayOrEmpty(element[key]).map((one, at) =>
    at === index && isPlainObject(one) ? change(one) : one,
  ),
});

const repeatedWords = (element: JsonObject, place: ElementPlace): LocalizedText[] =>
  questionsOfRepeat(element).flatMap(({ inner }) => [
    ...allTextsOf(inner, place),
    ...(inner.type === 'panel' ? repeatedWords(inner, place) : []),
  ]);

/** All texts that people read, to count missing translations. */
export function allTextsOf(element: JsonObject, place: ElementPlace): LocalizedText[] {
  const own = textsOfElement(element, place).flatMap(({ words }) => (words === undefined ? [] : [words]));
  const items =
    place.length === 1
      ? []
      : editableListKeysOf(element).flatMap((list): ElementListItem[] => elementListItemsOf(element, list));
  const repeated = element.type === 'panel' ? [] : repeatedWords(element, place);
  return [...own, ...items.map(({ words }) => words), ...repeated];
}

/** Whether its name or any of its texts, in any language, contains this. */
export function elementContainsText(element: JsonObject, place: ElementPlace, text: string): boolean {
  const texts = allTextsOf(element, place).flatMap((words) =>
    typeof words === 'string' ? [words] : Object.values(words),
  );
  const needle = text.toLocaleLowerCase();
  return [String(element.name), ...texts].some((one) => one.toLocaleLowerCase().includes(needle));
}

const QUESTIONNAIRE_ROLES = ['title', 'description', 'completedHtml'] as const;
export type QuestionnaireTextProperty = (typeof QUESTIONNAIRE_ROLES)[number];

/** Texts outside of pages: the title and the closing texts. */
export function textsOutsidePages(definition: object): LocalizedText[] {
  const { completedHtmlOnCondition, ...whole } = definition as JsonObject;
  const closings = arrayOrEmpty(completedHtmlOnCondition).map((one) =>
    isPlainObject(one) ? one.html : undefined,
  );
  return [...QUESTIONNAIRE_ROLES.map((role) => whole[role]), ...closings].filter(isLocalizedText);
}

/** Numbers need no translation. */
const isWord = (words: LocalizedText): boolean => {
  const texts = typeof words === 'string' ? [words] : Object.values(words);
  return texts.every((text) => text === '') || texts.some((text) => /\p{L}/u.test(text));
};

const countMissing = (all: LocalizedText[], language: string): number =>
  all.filter((words) => isWord(words) && textWithoutFallback(words, language) === '').length;

export const countMissingTexts = (element: JsonObject, place: ElementPlace, language: string): number =>
  countMissing(allTextsOf(element, place), language);

export const countMissingOutsidePages = (definition: object, language: string): number =>
  countMissing(textsOutsidePages(definition), language);

export interface MissingTexts {
  language: string;
  count: number;
  places: ElementPlace[];
}

/**
 * How many texts exist in another language but not in this one, for each language of the questionnaire and of
 * `moreLanguages`.
 */
export function missingTextsIn(definition: object, moreLanguages: readonly string[]): MissingTexts[] {
  const all = elementsWithPlaces(definition);
  return [...new Set([...languagesIn(definition), ...moreLanguages])].flatMap((language) => {
    const counts = [
      { place: [] as ElementPlace, count: countMissingOutsidePages(definition, language) },
      ...all.map(({ element, place }) => ({ place, count: countMissingTexts(element, place, language) })),
    ].filter(({ count }) => count > 0);
    const count = counts.reduce((sum, one) => sum + one.count, 0);
    return count > 0 ? [{ language, count, places: counts.map(({ place }) => place) }] : [];
  });
}

/** Without a text, the question's name is shown. */
export const isUntitledElement = (element: JsonObject, place: ElementPlace): boolean =>
  place.length > 1 &&
  element.type !== 'panel' &&
  (element.type === 'html' ? !element.html : !asksNothing(element) && !element.title);

export const isChoiceless = (element: JsonObject): boolean => {
  const lists = editableListKeysOf(element);
  if (!hasChoices(element) && element.type !== 'matrix') return false;
  if (element.choicesFromQuestion !== undefined) return false;
  return lists.length === 0 || lists.some((list) => elementListItemsOf(element, list).length === 0);
};

/** All languages with texts, English first. */
export function languagesIn(definition: object): string[] {
  const languages = new Set<string>(['en']);
  const all = elementsWithPlaces(definition).flatMap(({ element, place }) => allTextsOf(element, place));
  for (const words of [...textsOutsidePages(definition), ...all])
    if (typeof words !== 'string')
      for (const key of Object.keys(words)) if (key !== 'default') languages.add(key);
  return [...languages];
}
