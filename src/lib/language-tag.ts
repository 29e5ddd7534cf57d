/** BCP 47, as `en` or `es-MX`: what a browser can be asked about. It throws at anything else. Safe in a browser. */
export function isLanguageTag(text: string): boolean {
  if (text.length > 35 || !/^[a-z]{2,3}(-|$)/i.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
