/**
 * Adds, moves, duplicates, and removes pages and questions. Each function returns a new definition and the new
 * position.
 */

import {
  arrayOrEmpty,
  childElementsOf,
  type ElementPlace,
  elementAt,
  isGroup,
  isSameElementPlace,
  type JsonObject,
  moveItem,
  numberedName,
  pagesOf,
  withChangedSiblings,
} from '../../element-paths.ts';
import { replaceName, unusedName, usedNamesIn } from './element-names.ts';
import { newElement, type QuestionKind } from './question-kinds.ts';

export interface EditedDefinition {
  definition: object;
  place: ElementPlace;
}

const withInserted = (list: unknown[], index: number, item: unknown) => list.toSpliced(index, 0, item);
const without = (list: unknown[], index: number) => list.toSpliced(index, 1);

const lastIndex = (place: ElementPlace): number => place.at(-1) ?? 0;
const sibling = (place: ElementPlace, index: number): ElementPlace => [...place.slice(0, -1), index];

/** After this page, or at the end. */
export function addPage(definition: object, after: number | null = null): EditedDefinition {
  const at = after === null ? pagesOf(definition).length : after + 1;
  const page = { name: numberedName(usedNamesIn(definition), 'page'), elements: [] };
  return {
    definition: withChangedSiblings(definition, [at], (list) => withInserted(list, at, page)),
    place: [at],
  };
}

/** After this question, or at the end of this page. */
export function addQuestion(definition: object, after: ElementPlace, kind: QuestionKind): EditedDefinition {
  const owner = elementAt(definition, after);
  if (!owner) return { definition, place: after };
  const at = after.length === 1 ? childElementsOf(owner).length : lastIndex(after) + 1;
  const place = after.length === 1 ? [...after, at] : sibling(after, at);
  const question = newElement(kind, numberedName(usedNamesIn(definition), 'question'));
  return {
    definition: withChangedSiblings(definition, place, (list) => withInserted(list, at, question)),
    place,
  };
}

export function removeElementAt(definition: object, place: ElementPlace): object {
  if (!elementAt(definition, place)) return definition;
  return withChangedSiblings(definition, place, without);
}

/**
 * Moves up or down within its list, or past the edge of a page into the next one. Returns the same definition if it
 * can't move any further.
 */
export function moveElementOneStep(definition: object, place: ElementPlace, step: -1 | 1): EditedDefinition {
  const element = elementAt(definition, place);
  if (!element) return { definition, place };
  const owner = elementAt(definition, place.slice(0, -1));
  const count = place.length === 1 ? pagesOf(definition).length : childElementsOf(owner ?? {}).length;
  const to = lastIndex(place) + step;
  if (to >= 0 && to < count) {
    const next = withChangedSiblings(definition, place, (list, from) => moveItem(list, from, to));
    return { definition: next, place: sibling(place, to) };
  }
  const page = (place[0] ?? 0) + step;
  const other = place.length === 2 ? pagesOf(definition)[page] : undefined;
  if (!other) return { definition, place };
  return moveOntoPage(definition, place, page, step === 1 ? 0 : childElementsOf(other).length);
}

/** Moves to the end of another page, out of its panel if it is in one. */
export function moveElementToPage(definition: object, place: ElementPlace, page: number): EditedDefinition {
  const target = pagesOf(definition)[page];
  if (!target || place.length < 2 || !elementAt(definition, place)) return { definition, place };
  const within = place[0] === page && place.length === 2;
  return moveOntoPage(definition, place, page, childElementsOf(target).length - (within ? 1 : 0));
}

function moveOntoPage(definition: object, from: ElementPlace, page: number, index: number): EditedDefinition {
  let element: unknown;
  const without_ = withChangedSiblings(definition, from, (list, at) => {
    element = list[at];
    return without(list, at);
  });
  const place = [page, index];
  return {
    definition: withChangedSiblings(without_, place, (list) => withInserted(list, index, element)),
    place,
  };
}

export interface ElementMove {
  from: ElementPlace;
  over: ElementPlace;
  /** A question dropped behind a page or panel becomes its first element. */
  side: 'before' | 'behind';
}

const startsWith = (place: ElementPlace, start: ElementPlace): boolean =>
  isSameElementPlace(place.slice(0, start.length), start);

/** Pages go between pages, questions onto a page, and nothing into itself. */
export const mayDropAt = ({ from, over, side }: ElementMove): boolean =>
  from.length === 1
    ? over.length === 1
    : over.length > (side === 'before' ? 1 : 0) && !startsWith(over, from);

/** Moves an element next to another one. Returns the same definition if nothing changes. */
export function moveElementBeside(definition: object, move: ElementMove): EditedDefinition {
  const { from, over, side } = move;
  const [moving, other] = [elementAt(definition, from), elementAt(definition, over)];
  if (!moving || !other || !mayDropAt(move)) return { definition, place: from };
  const opens = from.length > 1 && side === 'behind' && isGroup(other, over);
  const to = opens ? [...over, 0] : sibling(over, lastIndex(over) + (side === 'behind' ? 1 : 0));
  // Removing the element shifts those after it in its list up by one.
  const depth = from.length - 1;
  const step = to[depth];
  const shifted = startsWith(to, from.slice(0, -1)) && step !== undefined && step > lastIndex(from);
  const place = shifted ? to.map((one, at) => (at === depth ? one - 1 : one)) : to;
  if (isSameElementPlace(place, from)) return { definition, place };
  const rest = withChangedSiblings(definition, from, without);
  return {
    definition: withChangedSiblings(rest, place, (list, at) => withInserted(list, at, moving)),
    place,
  };
}

/** Inserts a copy after it, with new names. References within the copy use the new names. */
export function duplicateElement(definition: object, place: ElementPlace): EditedDefinition {
  const element = elementAt(definition, place);
  if (!element) return { definition, place };
  const names = new Map<string, string>();
  const usedNames = usedNamesIn(definition);
  let copy = withNewNames(element, usedNames, names);
  for (const [before, after] of names) copy = replaceName(copy, before, after);
  const at = lastIndex(place) + 1;
  return {
    definition: withChangedSiblings(definition, place, (list) => withInserted(list, at, copy)),
    place: sibling(place, at),
  };
}

function withNewNames(element: JsonObject, usedNames: Set<string>, names: Map<string, string>): JsonObject {
  // Two questions with the same storage key would overwrite each other.
  const { valueName: _, ...next } = element;
  if (typeof element.name === 'string') {
    const name = unusedName(usedNames, element.name);
    usedNames.add(name.toLowerCase());
    names.set(typeof element.valueName === 'string' ? element.valueName : element.name, name);
    next.name = name;
  }
  for (const key of ['elements', 'questions'])
    if (key in next)
      next[key] = arrayOrEmpty(next[key]).map((one) =>
        withNewNames((one ?? {}) as JsonObject, usedNames, names),
      );
  return next;
}
