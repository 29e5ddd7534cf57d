/** "Spanish" for `es`, in the reader's language. */
export function languageName(tag: string, language: string): string {
  try {
    const name = new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return tag;
  }
}
