/** Whether two JSON values are equal, ignoring the order of keys. Browser-safe. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [first, second] = [Object.entries(a), Object.entries(b)];
  return (
    first.length === second.length &&
    first.every(
      ([key, value]) => Object.hasOwn(b, key) && isDeepEqual(value, (b as Record<string, unknown>)[key]),
    )
  );
}
