/** The texts of one page or question in all its languages. */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { asArray, type ElementPlace, type Json, placesOf } from '../../element-paths.ts';
import { isLocalizedText, type LocalizedText } from '../../questionnaire-outline.ts';
import { type ElementList, itemsOf, type ListItem, listsOf } from './choice-lists.ts';
import { asksNothing, hasChoices } from './question-kinds.ts';
import USUAL from './usual-texts.json' with { type: 'json' };

/** In the order in which they are met. Some stand there only once something asks for them. */
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

/** What is said in this language alone, without falling back to another. */
export function textIn(words: LocalizedText, language: string): string {
  if (typeof words === 'string') return language === 'en' ? words : '';
  return words[language] ?? (language === 'en' ? (words.default ?? '') : '');
}

/** Those that can be written although nothing is there yet. */
function rolesOf(element: Json, place: ElementPlace): readonly TextRole[] {
  if (place.length === 1 || element.type === 'panel') return ['title', 'description'];
  if (element.type === 'html') return ['html'];
  if (element.type === 'image' || element.type === 'expression') return ['title'];
  if (element.type === 'rating') return ['title', 'description', 'minRateDescription', 'maxRateDescription'];
  return ['title', 'description'];
}

export interface OwnText {
  role: TextRole;
  words: LocalizedText | undefined;
}

export function textsOfElement(element: Json, place: ElementPlace): OwnText[] {
  const open = rolesOf(element, place);
  return ROLES.flatMap((role): OwnText[] => {
    const words = element[role];
    if (isLocalizedText(words)) return [{ role, words }];
    return open.includes(role) ? [{ role, words: undefined }] : [];
  });
}

/** `words` with this text in this language; undefined where nothing is said any more. */
export function withWordsIn(
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

const KEPT_EMPTY = ['html'];

export function withText(
  element: Json,
  role: TextRole | OutsidePagesRole,
  language: string,
  text: string,
): Json {
  const before = element[role];
  const words = withWordsIn(isLocalizedText(before) ? before : undefined, language, text);
  if (words === before) return element;
  if (words !== undefined) return { ...element, [role]: words };
  if (KEPT_EMPTY.includes(role)) return { ...element, [role]: '' };
  const { [role]: _, ...rest } = element;
  return rest;
}

/** A choice without words is shown by its value, and keeps that as its English when it gets words in another language. */
export function withItemText(
  element: Json,
  list: ElementList,
  index: number,
  language: string,
  text: string,
): Json {
  const items = Array.isArray(element[list]) ? (element[list] as unknown[]) : [];
  const change = (one: unknown): unknown => {
    const item = isPlainObject(one) ? one : { value: one };
    const before = isLocalizedText(item.text) ? item.text : String(item.value);
    return { ...item, text: withWordsIn(before, language, text) ?? '' };
  };
  return { ...element, [list]: items.map((one, at) => (at === index ? change(one) : one)) };
}

/** Of words in many languages those that the questionnaire speaks. */
export function inQuestionnaireLanguages(definition: object, words: Record<string, string>): LocalizedText {
  const spokenLanguages = languagesIn(definition);
  const own = Object.entries(words).filter(([one]) => one === 'default' || spokenLanguages.includes(one));
  return own.length === 1 ? (words.default ?? '') : Object.fromEntries(own);
}

/**
 * As the questionnaire says it elsewhere, else as the one that ships does. Those words stand here alone, for the whole
 * questionnaire is large.
 */
export function usualText(definition: object, key: keyof typeof USUAL): LocalizedText {
  for (const { element } of placesOf(definition)) if (isLocalizedText(element[key])) return element[key];
  return inQuestionnaireLanguages(definition, USUAL[key]);
}

/** The questions of a group that is answered several times: the outline has no rows for them. */
export const questionsOfRepeat = (element: Json): { key: string; index: number; inner: Json }[] =>
  ['templateElements', ...(element.type === 'panel' ? ['elements'] : [])].flatMap((key) =>
    asArray(element[key]).flatMap((inner, index) => (isPlainObject(inner) ? [{ key, index, inner }] : [])),
  );

export const withItemChanged = (
  element: Json,
  key: string,
  index: number,
  change: (inner: Json) => Json,
): Json => ({
  ...element,
  [key]: asArray(element[key]).map((one, at) => (at === index && isPlainObject(one) ? change(one) : one)),
});

const repeatedWords = (element: Json, place: ElementPlace): LocalizedText[] =>
  questionsOfRepeat(element).flatMap(({ inner }) => [
    ...allTextsOf(inner, place),
    ...(inner.type === 'panel' ? repeatedWords(inner, place) : []),
  ]);

/** Every text that a person reads of it, to count what lacks a language. */
export function allTextsOf(element: Json, place: ElementPlace): LocalizedText[] {
  const own = textsOfElement(element, place).flatMap(({ words }) => (words === undefined ? [] : [words]));
  const items =
    place.length === 1 ? [] : listsOf(element).flatMap((list): ListItem[] => itemsOf(element, list));
  const repeated = element.type === 'panel' ? [] : repeatedWords(element, place);
  return [...own, ...items.map(({ words }) => words), ...repeated];
}

/** Whether this stands in its name or in any of its texts, in any language. */
export function containsText(element: Json, place: ElementPlace, text: string): boolean {
  const texts = allTextsOf(element, place).flatMap((words) =>
    typeof words === 'string' ? [words] : Object.values(words),
  );
  const needle = text.toLocaleLowerCase();
  return [String(element.name), ...texts].some((one) => one.toLocaleLowerCase().includes(needle));
}

const OF_WHOLE = ['title', 'description', 'completedHtml'] as const;
export type OutsidePagesRole = (typeof OF_WHOLE)[number];

/** The texts of no page: the title, and what is said at the end. */
export function textsOutsidePages(definition: object): LocalizedText[] {
  const { completedHtmlOnCondition, ...whole } = definition as Json;
  const closings = asArray(completedHtmlOnCondition).map((one) =>
    isPlainObject(one) ? one.html : undefined,
  );
  return [...OF_WHOLE.map((role) => whole[role]), ...closings].filter(isLocalizedText);
}

/** A number says the same in every language. */
const isWord = (words: LocalizedText): boolean => {
  const texts = typeof words === 'string' ? [words] : Object.values(words);
  return texts.every((text) => text === '') || texts.some((text) => /\p{L}/u.test(text));
};

const countMissing = (all: LocalizedText[], language: string): number =>
  all.filter((words) => isWord(words) && textIn(words, language) === '').length;

export const countMissingTexts = (element: Json, place: ElementPlace, language: string): number =>
  countMissing(allTextsOf(element, place), language);

export const countMissingInWhole = (definition: object, language: string): number =>
  countMissing(textsOutsidePages(definition), language);

export interface MissingTexts {
  language: string;
  count: number;
  places: ElementPlace[];
}

/** What is said in some language and not in another one: of each that the form speaks, and of these beside them. */
export function missingTextsIn(definition: object, moreLanguages: readonly string[]): MissingTexts[] {
  const all = placesOf(definition);
  return [...new Set([...languagesIn(definition), ...moreLanguages])].flatMap((language) => {
    const counts = [
      { place: [] as ElementPlace, count: countMissingInWhole(definition, language) },
      ...all.map(({ element, place }) => ({ place, count: countMissingTexts(element, place, language) })),
    ].filter(({ count }) => count > 0);
    const count = counts.reduce((sum, one) => sum + one.count, 0);
    return count > 0 ? [{ language, count, places: counts.map(({ place }) => place) }] : [];
  });
}

/** A question whose words nobody wrote is shown by its name. */
export const hasNoText = (element: Json, place: ElementPlace): boolean =>
  place.length > 1 &&
  element.type !== 'panel' &&
  (element.type === 'html' ? !element.html : !asksNothing(element) && !element.title);

export const isChoiceless = (element: Json): boolean => {
  const lists = listsOf(element);
  if (!hasChoices(element) && element.type !== 'matrix') return false;
  if (element.choicesFromQuestion !== undefined) return false;
  return lists.length === 0 || lists.some((list) => itemsOf(element, list).length === 0);
};

/** All languages in which anything is said, English first. */
export function languagesIn(definition: object): string[] {
  const languages = new Set<string>(['en']);
  const all = placesOf(definition).flatMap(({ element, place }) => allTextsOf(element, place));
  for (const words of [...textsOutsidePages(definition), ...all])
    if (typeof words !== 'string')
      for (const key of Object.keys(words)) if (key !== 'default') languages.add(key);
  return [...languages];
}
