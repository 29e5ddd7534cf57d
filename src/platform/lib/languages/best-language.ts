/** Chooses the best of the available languages for someone. Browser-safe. */
import { primarySubtagOf } from './text-direction.ts';

const tagOf = (language: string): string => language.toLowerCase().replaceAll('_', '-');

/** The first preferred language that is available, with or without its region; otherwise the first available one. */
export function bestLanguage(languages: string[], preferredLanguages: string[]): string | undefined {
  for (const preferred of preferredLanguages) {
    const tag =
      languages.find((one) => tagOf(one) === tagOf(preferred)) ??
      languages.find((one) => primarySubtagOf(one) === primarySubtagOf(preferred));
    if (tag) return tag;
  }
  return languages[0];
}
