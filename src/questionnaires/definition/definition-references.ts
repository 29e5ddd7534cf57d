/** Names that conditions, calculated values and texts refer to, and which of them do not exist. Browser-safe. */
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { CAME_WITH_COUPON_VARIABLE } from './coupon-variable.ts';

/** Variables that the form sets although no question has them (interview/survey-model.ts in the client). */
export const FORM_VARIABLES = [CAME_WITH_COUPON_VARIABLE, 'studyContact'];
/**
 * Properties that name a question without braces. Below `bindings` every value does, for example the count of a repeat.
 */
export const QUESTION_NAMING_PROPERTIES = [
  'choicesFromQuestion',
  'setToName',
  'fromName',
  'gotoName',
  'bindings',
];
/**
 * The key that decides how a value is read: items of a list are read like the list, and so are values below `bindings`.
 */
export const interpretingKeyOf = (owner: object, key: string, at: string): string =>
  Array.isArray(owner) || key === 'bindings' ? key : at;
/** Names of the form library itself, including whatever follows them: `{panel.age}`, `{row.x}`. */
const LIBRARY_NAME =
  /^(panel|prevPanel|nextPanel|parentPanel|panelIndex|visiblePanelIndex|row|prevRow|nextRow|totalRow|rowIndex|visibleRowIndex|rowValue|rowName|rowTitle|matrix|column|composite|item|choice|self|parent|question|survey|locale|pageno|pagecount|questioncount|(in)?correct(ed)?answers|(in)?correctedanswercount)$/i;
/** Braces have another meaning or none here. */
const PROPERTIES_WITHOUT_REFERENCES = [
  'name',
  'valueName',
  'value',
  'type',
  'regex',
  'defaultValue',
  'correctAnswer',
  'setValue',
];
/** Expression functions that take a quoted question name. */
const QUOTED = /\b(displayValue|propertyValue)\(\s*(['"])([^'"{}]+)\2/gi;
const OWN_SCOPE = /\.(templateElements|detailElements|columns)\./;
const IS_EXPRESSION = /(expression|If)$/i;
const IN_TEXT = /^[#$]?\p{L}[\p{L}\p{N}_-]*(?:[.[].*)?$/u;
const MAX_FAULTS = 100;
const MAX_LETTERS = 100;

interface Reference {
  /** Path in the definition, as in a fault: `definition.pages.0.visibleIf`. */
  path: string;
  /** As written: `list[0].age`. */
  name: string;
}

/** `{source-Comment}` and `{list[0].age}` refer to `source` and `list`. */
export const namesIn = (expression: string): string[] => namesInBraces(expression).map(questionOf);

/** Without the form library's own names. */
export const referencesIn = (expression: string): string[] =>
  namesIn(expression).filter((name) => !LIBRARY_NAME.test(name));

export const namesInBraces = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name.trim());

const questionOf = (name: string): string =>
  (/^[^.[]*/.exec(plain(name))?.[0] ?? '').replace(/-(Comment|total|unwrapped)$/i, '');

/** `{#age}` is the stored value, `{$age.isVisible}` a property of the question. */
const plain = (name: string): string => name.replace(/^[#$]/, '');

function references(value: unknown, path: string, key: string): Reference[] {
  if (PROPERTIES_WITHOUT_REFERENCES.includes(key)) return [];
  if (typeof value === 'string')
    return [...new Set([...namesAt(key, value), ...quotedAt(path, key, value)])].map((name) => ({
      path,
      name,
    }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([at, one]) =>
    references(one, `${path}.${at}`, interpretingKeyOf(value, key, at)),
  );
}

function namesAt(key: string, text: string): string[] {
  if (QUESTION_NAMING_PROPERTIES.includes(key)) return text === '' ? [] : [text];
  const names = namesInBraces(text);
  // A text may contain braces for other reasons, so only possible names count.
  return IS_EXPRESSION.test(key) ? names : names.filter((name) => IN_TEXT.test(name));
}

/** In a repeat or table, the function first looks for a question there, so these are ignored. */
function quotedAt(path: string, key: string, text: string): string[] {
  if (!IS_EXPRESSION.test(key) || OWN_SCOPE.test(path)) return [];
  return [...text.matchAll(QUOTED)].map(([, , , name = '']) => name.trim());
}

/** `displayValue('before')` with the name replaced. */
export const replaceQuotedName = (text: string, before: string, after: string): string =>
  text.replace(QUOTED, (whole, call: string, mark: string, name: string) =>
    name.trim().toLowerCase() === before.toLowerCase() && !after.includes(mark)
      ? `${call}(${mark}${after}${mark}`
      : whole,
  );

type Json = Record<string, unknown>;

const objectsOf = (value: unknown): Json[] =>
  (Array.isArray(value) ? value : []).filter((one) => typeof one === 'object' && one !== null);

const elementNames = (owner: Json): unknown[] =>
  ['pages', 'elements', 'questions'].flatMap((key) =>
    objectsOf(owner[key]).flatMap((one) => [one.name, one.valueName, ...elementNames(one)]),
  );

/** All names that can be referred to, in lower case, because expressions ignore case. */
export function knownNames(definition: object): Set<string> {
  const { calculatedValues } = definition as Json;
  const names = [
    ...FORM_VARIABLES,
    ...elementNames(definition as Json),
    ...objectsOf(calculatedValues).map(({ name }) => name),
  ];
  return new Set(names.flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : [])));
}

/** Where these names (in lower case) are used. */
export const referencesTo = (definition: object, names: ReadonlySet<string>): Reference[] =>
  references(definition, 'definition', '').filter(({ name }) =>
    [plain(name), questionOf(name)].some((one) => names.has(one.toLowerCase())),
  );

/** References to missing names, for example of a question that was removed. */
export function referenceFaults(definition: object): FieldError[] {
  const definedNames = knownNames(definition);
  const isKnown = (name: string) =>
    LIBRARY_NAME.test(questionOf(name)) ||
    [plain(name), questionOf(name)].some((one) => definedNames.has(one.toLowerCase()));
  const faults = references(definition, 'definition', '').flatMap(({ path, name }) =>
    isKnown(name)
      ? []
      : [fieldError(path, 'REFERENCE_UNKNOWN', { name: questionOf(name).slice(0, MAX_LETTERS) })],
  );
  return faults.slice(0, MAX_FAULTS);
}
