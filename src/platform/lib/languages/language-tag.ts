/** A BCP 47 tag such as `en` or `es-MX`; Intl throws for anything else. Browser-safe. */
export function isLanguageTag(text: string): boolean {
  if (text.length > 35 || !/^[a-z]{2,3}(-|$)/i.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
