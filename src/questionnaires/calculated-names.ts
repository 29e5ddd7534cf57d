/**
 * Which of its values a questionnaire calculates and keeps with the answers. Browser-safe, and without the form library,
 * which would take an answer under such a name for the value itself: none is ever given to it.
 */
type Answers = Record<string, unknown>;
interface Calculates {
  /** Calculated values: a key that nothing else writes. */
  values: readonly string[];
  /** Whether a question shows one. */
  shows: boolean;
}

/** By the definition that is kept in memory (model.ts). */
const known = new WeakMap<object, Calculates>();

export function calculatesOf(definition: object): Calculates {
  const found = known.get(definition) ?? read(definition);
  known.set(definition, found);
  return found;
}

function read(definition: object): Calculates {
  const { calculatedValues: list, ...rest } = definition as { calculatedValues?: unknown };
  const all = (Array.isArray(list) ? list : []) as ({ name?: unknown; includeIntoResult?: unknown } | null)[];
  const asked = JSON.stringify(rest);
  const isAsked = (name: string) =>
    ['name', 'valueName'].some((key) => asked.includes(`"${key}":${JSON.stringify(name)}`));
  const included = all.flatMap((one) => (one?.includeIntoResult === true ? [String(one.name)] : []));
  return { values: included.filter((name) => !isAsked(name)), shows: asked.includes('"type":"expression"') };
}

/** The answers without what a phone calculated. */
export function withoutCalculated(definition: object, answers: Answers): Answers {
  const { values } = calculatesOf(definition);
  if (values.length === 0) return answers;
  return Object.fromEntries(Object.entries(answers).filter(([key]) => !values.includes(key)));
}
