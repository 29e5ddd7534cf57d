/** Names in a definition: each becomes a key in the database and a part of paths. Browser-safe. */
import {
  type CodedError,
  type FieldError,
  fault,
  fieldError,
} from '../../platform/http/problems/error-codes.ts';
import { FORM_VARIABLES } from './definition-references.ts';
import { FORBIDDEN_NAMES } from './definition-safety.ts';

const MAX_NAME = 100;
/** Names share one scope here: a calculated value, for example, replaces the answer of a question with its name. */
const SHARED_SCOPE = ['elements', 'questions', 'pages', 'calculatedValues'];
const OWN_SCOPE = ['templateElements', 'detailElements', 'columns', 'items'];

/** Names must be unique, and safe as keys and in paths. */
export function nameFaultsInDefinition(definition: object): FieldError[] {
  const faults: FieldError[] = [];
  const visit = (value: unknown, path: string, names: Set<string>): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      const at = `${path}.${key}`;
      const scope = OWN_SCOPE.includes(key) ? new Set<string>() : names;
      const isList = Array.isArray(child) && (SHARED_SCOPE.includes(key) || scope !== names);
      const items: unknown[] = isList ? child : [];
      for (const [index, item] of items.entries()) faults.push(...nameFault(item, `${at}.${index}`, scope));
      visit(child, at, scope);
    }
  };
  visit(definition, 'definition', new Set(FORM_VARIABLES.map((name) => name.toLowerCase())));
  return faults;
}

function nameFault(item: unknown, path: string, names: Set<string>): FieldError[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return [];
  const element = item as Record<string, unknown>;
  const faults: FieldError[] = [];
  for (const key of ['name', 'valueName']) {
    const name = element[key];
    if (name === undefined) continue;
    const wrong = typeof name === 'string' ? wrongName(name) : fault('NAME_NOT_TEXT');
    if (wrong) faults.push({ path: `${path}.${key}`, ...wrong });
  }
  const name = String(element.name ?? '').toLowerCase();
  // Expressions ignore case in names.
  if (name && names.has(name)) faults.push(fieldError(`${path}.name`, 'NAME_TWICE'));
  names.add(name);
  return faults;
}

function wrongName(name: string): CodedError | null {
  if (name.length === 0 || name.length > MAX_NAME) return fault('NAME_LENGTH', { count: MAX_NAME });
  if (name !== name.trim()) return fault('NAME_BLANK');
  if (name.includes('.') || name.startsWith('$') || name.includes('\0')) {
    return fault('NAME_MARKS');
  }
  if (FORBIDDEN_NAMES.has(name)) return fault('NAME_FORBIDDEN');
  return /-(Comment|total)$/.test(name) ? fault('NAME_ENDING') : null;
}
