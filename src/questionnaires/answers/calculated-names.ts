/**
 * The names of values that a questionnaire calculates and stores with the answers. If an answer with such a name is
 * sent, the form library would use it instead of calculating, so these answers are removed. Browser-safe.
 */
type Answers = Record<string, unknown>;
interface CalculatedValues {
  /** Names of calculated values that no question writes to. */
  values: readonly string[];
  /** Whether any question shows a calculated value. */
  shows: boolean;
}

/** Keyed by the cached definition (model.ts). */
const cache = new WeakMap<object, CalculatedValues>();

export function calculatedDefinitionsIn(definition: object): CalculatedValues {
  const values = cache.get(definition) ?? read(definition);
  cache.set(definition, values);
  return values;
}

function read(definition: object): CalculatedValues {
  const { calculatedValues: list, ...rest } = definition as { calculatedValues?: unknown };
  const all = (Array.isArray(list) ? list : []) as ({ name?: unknown; includeIntoResult?: unknown } | null)[];
  const text = JSON.stringify(rest);
  const isAsked = (name: string) =>
    ['name', 'valueName'].some((key) => text.includes(`"${key}":${JSON.stringify(name)}`));
  const included = all.flatMap((one) => (one?.includeIntoResult === true ? [String(one.name)] : []));
  return { values: included.filter((name) => !isAsked(name)), shows: text.includes('"type":"expression"') };
}

/** The answers without the values that the phone calculated. */
export function withoutCalculated(definition: object, answers: Answers): Answers {
  const { values } = calculatedDefinitionsIn(definition);
  if (values.length === 0) return answers;
  return Object.fromEntries(Object.entries(answers).filter(([key]) => !values.includes(key)));
}
