/** References that would break if a page or question were removed. */
import {
  knownNames,
  referencesIn,
  referencesTo as usesIn,
} from '../../../../../../src/questionnaires/definition/definition-references.ts';
import {
  type ElementPlace,
  elementPlaceOfPath,
  elementsWithPlaces,
  isSameElementPlace,
} from '../../element-paths.ts';
import { removeElementAt } from './change-elements.ts';
import type { VersionContent } from './element-names.ts';

/** Paths in the format of validation errors. */
export function usagePathsOf(
  { definition, sizeQuestion, takesPartIf, clues }: VersionContent,
  place: ElementPlace,
): string[] {
  const isWithin = (one: ElementPlace) => isSameElementPlace(one.slice(0, place.length), place);
  const removed = elementsWithPlaces(definition).filter((one) => isWithin(one.place) && one.place.length > 1);
  const removedNames = removed.flatMap(({ element: { name, valueName } }) => [name, valueName]).map(String);
  const remainingNames = knownNames(removeElementAt(definition, place));
  const lostNames = new Set(
    removedNames.map((name) => name.toLowerCase()).filter((name) => !remainingNames.has(name)),
  );
  const isGone = (name: string) => lostNames.has(name.toLowerCase());
  const paths = usesIn(definition, lostNames)
    .map(({ path }) => path)
    .filter((path) => !isWithin(elementPlaceOfPath(definition, path) ?? []));
  if (isGone(sizeQuestion)) paths.push('networkSizeQuestion');
  if (referencesIn(takesPartIf).some(isGone)) paths.push('takesPartIf');
  if (clues.some(isGone)) paths.push('identityQuestions');
  return paths;
}
