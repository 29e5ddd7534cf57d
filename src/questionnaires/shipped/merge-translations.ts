/**
 * Adds translations from separate files to a definition in English. Each text is found by its path: the keys, and in lists
 * the `name`, `value` or index of the element (`pages/health/elements/insurance/choices/yes/text`).
 */
type Texts = Readonly<Record<string, string>>;

/** Throws if a file has a text that doesn't belong to any element, or lacks one that another file has. */
export function withTranslations(
  definition: object,
  languages: Readonly<Record<string, Texts>>,
): Record<string, unknown> {
  const all = new Set(Object.values(languages).flatMap((texts) => Object.keys(texts)));
  const placed = new Set<string>();
  const translate = (english: string, place: string) => {
    if (!all.has(place)) return english;
    placed.add(place);
    return { en: english, ...mapped(languages, (texts) => texts[place]) };
  };
  const walk = (value: unknown, place: string): unknown => {
    if (typeof value === 'string') return translate(value, place);
    if (Array.isArray(value)) return value.map((one, at) => walk(one, `${place}/${nameOf(one, at)}`));
    if (typeof value !== 'object' || value === null) return value;
    return mapped(value, (one, key) => walk(one, place === '' ? key : `${place}/${key}`));
  };
  const whole = walk(definition, '') as Record<string, unknown>;

  const faults = Object.entries(languages).flatMap(([language, texts]) => [
    ...Object.keys(texts).flatMap((place) =>
      placed.has(place) ? [] : `${language}: nothing is at ${place}`,
    ),
    ...[...placed].flatMap((place) =>
      texts[place] === undefined ? `${language}: no text for ${place}` : [],
    ),
  ]);
  if (faults.length > 0)
    throw new Error(`The texts of the questionnaire do not fit it.\n${faults.join('\n')}`);
  return whole;
}

function mapped<T, U>(object: Readonly<Record<string, T>> | object, change: (value: T, key: string) => U) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value as T, key)]));
}

function nameOf(one: unknown, at: number): string {
  const { name, value } = (one ?? {}) as { name?: string; value?: string };
  return name ?? value ?? String(at);
}
