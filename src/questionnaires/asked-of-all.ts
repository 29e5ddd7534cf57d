/**
 * The keys of the questions that everybody who takes part is asked: those without a condition of their own, and of no panel that has
 * one. A page's condition is left aside, since pages hang on who takes part. Remarks are no questions to skip.
 */
type Element = Partial<Record<'name' | 'valueName' | 'type' | 'visibleIf' | 'elements' | 'visible', unknown>>;

const NO_QUESTION = ['html', 'image', 'expression', 'comment'];

export function pagesOf(definition: unknown): string[][] {
  // One without pages is a page itself.
  const pages = (definition as { pages?: unknown } | undefined)?.pages ?? (definition ? [definition] : []);
  return elementsOf(pages).map(({ elements }) => elementsOf(elements).flatMap(keysIn));
}

const elementsOf = (some: unknown): Element[] => (Array.isArray(some) ? some : []);

function keysIn({ name, valueName, type, visibleIf, visible, elements }: Element): string[] {
  if (visibleIf || visible === false || NO_QUESTION.includes(String(type))) return [];
  if (type === 'panel') return elementsOf(elements).flatMap(keysIn);
  return [valueName ?? name].filter((key) => typeof key === 'string');
}
