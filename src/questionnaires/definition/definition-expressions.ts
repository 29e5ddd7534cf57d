/**
 * Limits calculated values that use other calculated values, because they grow with every step: if twenty of them each
 * use the previous one twice, one answer becomes a million values, which would crash a phone.
 */
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { namesIn } from './definition-references.ts';

const MAX_REFERENCES = 10_000;
const MAX_EXPRESSION = 5_000;
const CALCULATED_PROPERTIES = ['expression', 'setValueExpression', 'defaultValueExpression'];

interface Formula {
  path: string;
  /** Names in the expression, once for each occurrence. */
  names: string[];
}

export function expressionFaults(definition: object): FieldError[] {
  const formulas = new Map<string, Formula>();
  const faults: FieldError[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { name } = value as { name?: unknown };
    for (const [key, child] of Object.entries(value)) {
      const at = `${path}.${key}`;
      if (typeof child !== 'string') {
        visit(child, at);
      } else if (/expression$|If$/i.test(key)) {
        if (child.length > MAX_EXPRESSION)
          faults.push(fieldError(at, 'EXPRESSION_TOO_LONG', { count: MAX_EXPRESSION }));
        if (CALCULATED_PROPERTIES.includes(key) && typeof name === 'string')
          formulas.set(name.toLowerCase(), { path: at, names: namesIn(child.toLowerCase()) });
      }
    }
  };
  visit(definition, 'definition');
  return [...faults, ...growthFaults(formulas)];
}

function growthFaults(formulas: Map<string, Formula>): FieldError[] {
  const sizes = new Map<string, number>();
  const sizeOf = (name: string): number => {
    const formula = formulas.get(name);
    if (!formula) return 1;
    const cachedSize = sizes.get(name);
    if (cachedSize !== undefined) return cachedSize;
    // The form library evaluates a circular reference only once.
    sizes.set(name, 1);
    const size = formula.names.reduce((sum, one) => Math.min(sum + sizeOf(one), MAX_REFERENCES + 1), 0);
    // An expression without names counts as one answer.
    sizes.set(name, Math.max(1, size));
    return Math.max(1, size);
  };
  return [...formulas].flatMap(([name, { path }]) =>
    sizeOf(name) > MAX_REFERENCES ? [fieldError(path, 'GROWS', { most: MAX_REFERENCES })] : [],
  );
}
