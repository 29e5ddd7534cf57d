/**
 * "Spanish" for `es`, in the reader's language, as written inside a sentence (some languages use lower case). Returns the
 * tag itself if it is unknown.
 */
export function languageNameInSentence(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag.replaceAll('_', '-')) ?? tag;
  } catch {
    return tag;
  }
}

/** The same with a capital letter, to start a line. */
export function languageName(tag: string, language: string): string {
  const name = languageNameInSentence(tag, language);
  return name === tag ? tag : name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** "Spanish (es)". */
export function languageNameWithTag(tag: string): string {
  const name = languageNameInSentence(tag, 'en');
  return name === tag ? tag : `${name} (${tag})`;
}
