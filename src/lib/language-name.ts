/**
 * "Spanish" for `es`, in the reader's language, as it stands inside a sentence: some languages write it small. What is
 * no language stands as it was written.
 */
export function languageWithin(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag.replaceAll('_', '-')) ?? tag;
  } catch {
    return tag;
  }
}

/** The same at the head of a line. */
export function languageName(tag: string, language: string): string {
  const name = languageWithin(tag, language);
  return name === tag ? tag : name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** "Spanish (es)": for who reads a report and for who types the tag. */
export function languageInFull(tag: string): string {
  const name = languageWithin(tag, 'en');
  return name === tag ? tag : `${name} (${tag})`;
}
