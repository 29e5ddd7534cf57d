/**
 * The keys of the questions that every eligible person is asked: neither they nor their panel have a condition. A
 * page's condition is ignored, because pages depend on eligibility. Remarks are not included, since they can't be
 * skipped.
 */
import { namesRead, UnusableExpression } from '../definition/eligibility.ts';

type Element = Partial<Record<'name' | 'valueName' | 'type' | 'visibleIf' | 'elements' | 'visible', unknown>>;

const NO_QUESTION = ['html', 'image', 'expression', 'comment'];

export function questionKeysByPage(definition: unknown): string[][] {
  // A definition without pages is itself one page.
  const pages = (definition as { pages?: unknown } | undefined)?.pages ?? (definition ? [definition] : []);
  return elementsOf(pages).map(({ elements }) => elementsOf(elements).flatMap(keysIn));
}

interface Form {
  definition: object;
  takesPartIf?: string | null | undefined;
}

/**
 * Keeps the keys (from `questionKeysByPage`) on pages that every eligible person sees: pages without a condition, or
 * with one that only reads what decides eligibility. If the questionnaire doesn't define eligibility, any page's
 * condition may be about it, so all keys are kept.
 */
export function questionKeysAskedOfAll(keys: readonly string[], { definition, takesPartIf }: Form): string[] {
  if (!takesPartIf) return [...keys];
  const deciding = namesIn(definition, takesPartIf);
  const pages = elementsOf((definition as { pages?: unknown }).pages);
  const forSome = pages
    .filter(({ visibleIf }) => visibleIf)
    .filter(({ visibleIf }) => !namesIn(definition, String(visibleIf)).every((key) => deciding.includes(key)))
    .flatMap(({ elements }) => elementsOf(elements).flatMap(keysIn));
  return keys.filter((key) => !forSome.includes(key));
}

/** A condition that can't be read is assumed to be about something other than eligibility. */
function namesIn(definition: object, expression: string): string[] {
  try {
    return namesRead(definition, expression).map(({ key }) => key);
  } catch (error) {
    if (error instanceof UnusableExpression) return [expression];
    throw error;
  }
}

const elementsOf = (some: unknown): Element[] => (Array.isArray(some) ? some : []);

function keysIn({ name, valueName, type, visibleIf, visible, elements }: Element): string[] {
  if (visibleIf || visible === false || NO_QUESTION.includes(String(type))) return [];
  if (type === 'panel') return elementsOf(elements).flatMap(keysIn);
  return [valueName ?? name].filter((key) => typeof key === 'string');
}
