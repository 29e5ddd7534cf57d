/**
 * Answers that a form calculates from other answers: calculated values, questions filled in by an expression, and those
 * set by a trigger. Browser-safe.
 */
import { isPlainObject } from '../objects/plain-object.ts';

interface FormulaText {
  /** As written in the form. */
  name: string;
  text: string;
  /** Stored with the answers; other values are only used in calculations. */
  isStored: boolean;
}

const VALUE_PROPERTIES = ['setValueExpression', 'defaultValueExpression', 'setValueIf', 'resetValueIf'];

/** By name in lower case, because expressions ignore case. */
export function formulaTextsByName(definition: object): Map<string, FormulaText> {
  const texts = new Map<string, FormulaText>();
  const add = (name: unknown, text: string, isStored = true) => {
    if (typeof name !== 'string' || name === '') return;
    const before = texts.get(name.toLowerCase());
    const whole = before ? `${before.text}\n${text}` : text;
    texts.set(name.toLowerCase(), { name, text: whole, isStored: isStored || (before?.isStored ?? false) });
  };
  const { calculatedValues, triggers } = definition as Record<string, unknown>;
  for (const one of listOf(calculatedValues))
    add(one.name, String(one.expression ?? ''), one.includeIntoResult === true);
  for (const one of listOf(triggers))
    add(one.setToName, `${JSON.stringify(one)} {${String(one.name)}} {${String(one.fromName)}}`);
  const visit = (element: Record<string, unknown>): void => {
    const own = VALUE_PROPERTIES.flatMap((key) => (typeof element[key] === 'string' ? [element[key]] : []));
    // Defaults such as today() don't depend on other answers.
    if (own.some((text) => text.includes('{')))
      for (const name of new Set([element.name, element.valueName])) add(name, own.join('\n'));
    for (const key of ['pages', 'elements', 'questions']) for (const one of listOf(element[key])) visit(one);
  };
  visit(definition as Record<string, unknown>);
  return texts;
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isPlainObject) : [];
