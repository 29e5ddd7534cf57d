/** Converts the languages of a form's columns, such as `label::Español (es)`, to tags and back. Browser-safe. */
import { languageNameWithTag } from '../../platform/lib/languages/language-name.ts';
import { isLanguageTag } from '../../platform/lib/languages/language-tag.ts';

/** One text, or one per language. */
export type TextOrTranslations = string | Record<string, string>;

/** Language names without a tag are recognized in English and in the language itself. */
let byName: Map<string, string> | undefined;

function namesOfLanguages(): Map<string, string> {
  const codes = new Map<string, string>();
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  for (const first of letters)
    for (const second of letters) {
      const tag = first + second;
      const name = english.of(tag);
      if (name === undefined || new Intl.Locale(tag).maximize().language !== tag) continue;
      const own = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' }).of(tag);
      for (const one of [own, name]) if (one) codes.set(one.toLowerCase(), tag);
    }
  for (const [name, tag] of Object.entries({ tetun: 'tet', filipino: 'fil', tagalog: 'tl', dari: 'fa-AF' }))
    codes.set(name, tag);
  return codes;
}

/** The tag of "French (fr)", "fr" or "French"; null if unknown. */
export function tagOfLanguage(languageText: string): string | null {
  const text = languageText.trim();
  const inParentheses = /\(\s*([A-Za-z][\w-]*)\s*\)\s*$/.exec(text)?.[1]?.replaceAll('_', '-');
  if (inParentheses && isLanguageTag(inParentheses)) return inParentheses;
  byName ??= namesOfLanguages();
  const named = byName.get(
    text
      .replace(/\(.*\)\s*$/, '')
      .trim()
      .toLowerCase(),
  );
  if (named) return named;
  const tag = text.replaceAll('_', '-');
  return /^[a-z]{2,3}(-|$)/.test(tag) && isLanguageTag(tag) ? tag : null;
}

/** "Spanish (es)", for a column header. */
export const languageLabelOfTag = languageNameWithTag;
