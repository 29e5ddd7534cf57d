/** Expressions that the form library can't read, each with its path in the definition. Browser-safe. */
import type { Base, Model } from 'survey-core';
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';

export function unreadableExpressions(model: Model, definition: object): FieldError[] {
  const invalid = model.validateExpressions({ functions: true, variables: false, semantics: false });
  return invalid.map(({ obj, propertyName: property }) => {
    const path = pathOf(model, definition, obj);
    const { name } = obj as unknown as { name?: string };
    const at = path === null ? 'definition' : `${path}.${property}`;
    return name
      ? fieldError(at, 'EXPRESSION_UNREADABLE', { property, name })
      : fieldError(at, 'OWN_EXPRESSION_UNREADABLE', { property });
  });
}

function pathOf(model: Model, definition: object, obj: Base): string | null {
  for (const list of ['calculatedValues', 'completedHtmlOnCondition'] as const) {
    const index = (model[list] as Base[]).indexOf(obj);
    if (index >= 0) return `definition.${list}.${index}`;
  }
  const { name } = obj as unknown as { name?: string };
  return name ? pathOfElement(definition, name, 'definition') : null;
}

/** Path of the page or question with this name. */
function pathOfElement(owner: object, name: string, path: string): string | null {
  for (const key of ['pages', 'elements', 'questions', 'templateElements']) {
    const list = (owner as Record<string, unknown>)[key];
    for (const [index, one] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof one !== 'object' || one === null) continue;
      const at = `${path}.${key}.${index}`;
      const elementPath = (one as { name?: unknown }).name === name ? at : pathOfElement(one, name, at);
      if (elementPath !== null) return elementPath;
    }
  }
  return null;
}
