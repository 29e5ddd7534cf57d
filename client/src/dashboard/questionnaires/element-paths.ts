/**
 * Finds and changes pages and questions in a definition by path. Everything else keeps its identity, so properties
 * unknown to the builder are never touched.
 */
import { isPlainObject } from '../../../../src/platform/lib/objects/plain-object.ts';
export type JsonObject = Record<string, unknown>;

/** [1] is the second page, [1, 0] its first question, [1, 0, 2] the third question of the panel there. */
export type ElementPlace = readonly number[];

export const arrayOrEmpty = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** The same list if either index is out of range. */
export const moveItem = <T>(list: T[], from: number, to: number): T[] =>
  from in list && to in list ? list.toSpliced(from, 1).toSpliced(to, 0, list[from] as T) : list;
const objectOf = (value: unknown): JsonObject => (isPlainObject(value) ? value : {});

/** The forms library reads both. */
const listKey = (owner: JsonObject): string =>
  !('elements' in owner) && 'questions' in owner ? 'questions' : 'elements';

export const childElementsOf = (owner: JsonObject): JsonObject[] =>
  arrayOrEmpty(owner[listKey(owner)]).map(objectOf);

/** Questions outside of pages form one page. */
export function pagesOf(definition: object): JsonObject[] {
  const { pages } = definition as JsonObject;
  if (Array.isArray(pages)) return pages.map(objectOf);
  const elements = childElementsOf(definition as JsonObject);
  if (elements.length === 0) return [];
  const usedNames = new Set(elements.map(({ name }) => String(name).toLowerCase()));
  return [{ name: numberedName(usedNames, 'page'), elements }];
}

/** `question7`: the first unused name. */
export function numberedName(usedNames: ReadonlySet<string>, stem: string): string {
  let number = 1;
  while (usedNames.has(`${stem}${number}`.toLowerCase())) number += 1;
  return `${stem}${number}`;
}

export function elementAt(definition: object, place: ElementPlace): JsonObject | null {
  const [first = -1, ...rest] = place;
  let element: JsonObject | undefined = pagesOf(definition)[first];
  for (const step of rest) element = element && childElementsOf(element)[step];
  return element ?? null;
}

function withPages(definition: object, pages: unknown[]): object {
  const before = definition as JsonObject;
  if (Array.isArray(before.pages)) return { ...before, pages };
  const { elements: _, questions: __, ...rest } = before;
  return { ...rest, pages };
}

/** Changes the list that contains the element at this place. */
export function withChangedSiblings(
  definition: object,
  place: ElementPlace,
  change: (list: unknown[], index: number) => unknown[],
): object {
  const within = (owner: JsonObject, way: ElementPlace): JsonObject => {
    const key = listKey(owner);
    const list = arrayOrEmpty(owner[key]);
    const [first = 0, ...rest] = way;
    const next =
      rest.length === 0 ? change(list, first) : list.with(first, within(objectOf(list[first]), rest));
    return { ...owner, [key]: next };
  };
  const pages = Array.isArray((definition as JsonObject).pages)
    ? ((definition as JsonObject).pages as unknown[])
    : pagesOf(definition);
  const [page = 0, ...way] = place;
  if (way.length === 0) return withPages(definition, change(pages, page));
  return withPages(definition, pages.with(page, within(objectOf(pages[page]), way)));
}

export function withChangedElement(
  definition: object,
  place: ElementPlace,
  change: (element: JsonObject) => JsonObject,
): object {
  const before = elementAt(definition, place);
  if (!before) return definition;
  const after = change(before);
  if (after === before) return definition;
  return withChangedSiblings(definition, place, (list, index) => list.with(index, after));
}

/** Sets a property of a page or question; undefined removes it. */
export function withElementProperty(
  definition: object,
  place: ElementPlace,
  key: string,
  value: unknown,
): object {
  return withChangedElement(definition, place, (element) => {
    if (element[key] === value) return element;
    const { [key]: _, ...rest } = element;
    return value === undefined ? rest : { ...element, [key]: value };
  });
}

export const isSameElementPlace = (one: ElementPlace, other: ElementPlace): boolean =>
  one.join() === other.join();

/** Whether `place` comes after `other`. */
export function isLaterPlace(place: ElementPlace, other: ElementPlace): boolean {
  const at = place.findIndex((step, index) => step !== other[index]);
  return at >= 0 && (place[at] ?? 0) > (other[at] ?? -1);
}

/** Every page and question, in order. */
export function elementsWithPlaces(definition: object): { place: ElementPlace; element: JsonObject }[] {
  const walk = (owner: JsonObject, place: ElementPlace): { place: ElementPlace; element: JsonObject }[] => [
    { place, element: owner },
    ...childElementsOf(owner).flatMap((element, index) => walk(element, [...place, index])),
  ];
  return pagesOf(definition).flatMap((page, index) => walk(page, [index]));
}

/** Pages and panels contain elements and ask nothing themselves. */
export const isGroup = (element: JsonObject, place: ElementPlace): boolean =>
  place.length === 1 || element.type === 'panel';

/** Paths of the whole questionnaire, whose place is []. */
const QUESTIONNAIRE_PATH =
  /^(name|networkSizeQuestion|takesPartIf|identityQuestions|definition\.(title|description|completedHtml\w*|calculatedValues))(\.|$)/;

/**
 * The place of the question in an error path such as `definition.pages.2.elements.0.choices.1`; null if there is
 * none.
 */
export function elementPlaceOfPath(definition: object, path: string): ElementPlace | null {
  if (QUESTIONNAIRE_PATH.test(path)) return [];
  const way = /^definition\.pages\.(\d+)((?:\.(?:elements|questions)\.\d+)*)/.exec(path);
  if (!way) return null;
  const place = [Number(way[1]), ...(way[2]?.match(/\d+/g) ?? []).map(Number)];
  return elementAt(definition, place) ? place : null;
}

/** For previewing: only this page, with all its questions visible regardless of conditions. */
export function previewOfPage(definition: object, page: number): object | null {
  const element = pagesOf(definition)[page];
  if (!element || childElementsOf(element).length === 0) return null;
  const { triggers: _, elements: __, questions: ___, ...rest } = definition as JsonObject;
  return { ...rest, pages: [withDefaults(element)] };
}

function withDefaults(element: JsonObject): JsonObject {
  const { visibleIf: _, ...rest } = element;
  for (const key of ['elements', 'questions'])
    if (Array.isArray(rest[key]))
      rest[key] = rest[key].map((one: unknown) => withDefaults(one as JsonObject));
  return rest;
}
