/** The parsed text; null if it is not valid JSON. Browser-safe. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
