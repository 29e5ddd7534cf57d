/**
 * The usual questions for recognizing a person: two letters each of their first and last names, and their date of
 * birth.
 */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { elementsWithPlaces, type JsonObject, withChangedSiblings } from '../../element-paths.ts';
import { isLocalizedText } from '../../questionnaire-outline.ts';
import { unusedName, usedNamesIn, type VersionContent } from './element-names.ts';
import { inQuestionnaireLanguages } from './element-texts.ts';
import SHIPPED_PAGE from './usual-identity-questions.json' with { type: 'json' };

/** Added on their own page before the page with the network size, and shown to the same people. */
export function withUsualIdentityQuestions(work: VersionContent): VersionContent {
  const { definition, sizeQuestion } = work;
  const all = elementsWithPlaces(definition);
  const size = all.find(({ element, place }) => place.length > 1 && element.name === sizeQuestion);
  const at = size?.place[0] ?? 0;
  const before = all.find(({ place }) => place.length === 1 && place[0] === at)?.element;
  const usedNames = usedNamesIn(definition);
  const withFreeName = <T extends { name: string }>(one: T): T => ({
    ...one,
    name: unusedName(usedNames, one.name),
  });
  const elements = SHIPPED_PAGE.elements.map(withFreeName);
  const page = {
    ...(inLanguagesOf(definition, withFreeName(SHIPPED_PAGE)) as JsonObject),
    elements: inLanguagesOf(definition, elements),
    ...(before?.visibleIf === undefined ? {} : { visibleIf: before.visibleIf }),
  };
  const next = withChangedSiblings(definition, [at], (list) => [
    ...list.slice(0, at),
    page,
    ...list.slice(at),
  ]);
  return { ...work, definition: next, clues: elements.map(({ name }) => name) };
}

/** Keeps each text only in the questionnaire's languages. */
function inLanguagesOf(definition: object, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inLanguagesOf(definition, one));
  if (!isPlainObject(value)) return value;
  if (isLocalizedText(value.default))
    return inQuestionnaireLanguages(definition, value as Record<string, string>);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inLanguagesOf(definition, one)]));
}
