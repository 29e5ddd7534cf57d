/** Which of some languages serves someone best. Browser-safe. */
import { primaryLanguage } from './text-direction.ts';

const tagOf = (language: string): string => language.toLowerCase().replaceAll('_', '-');

/** The first wish that can be met, by its region or without; else the first of the languages. */
export function bestLanguage(languages: string[], wishedLanguages: string[]): string | undefined {
  for (const wish of wishedLanguages) {
    const tag =
      languages.find((one) => tagOf(one) === tagOf(wish)) ??
      languages.find((one) => primaryLanguage(one) === primaryLanguage(wish));
    if (tag) return tag;
  }
  return languages[0];
}
