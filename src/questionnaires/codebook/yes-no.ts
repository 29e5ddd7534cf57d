/** The labels "Yes" and "No" for calculated values, which have no texts in the questionnaire. */
type Texts = Record<string, string>;

const WORDS: Record<string, [string, string]> = {
  en: ['Yes', 'No'],
  es: ['Sí', 'No'],
  ar: ['نعم', 'لا'],
  ru: ['Да', 'Нет'],
  vi: ['Có', 'Không'],
  zh: ['是', '否'],
};

/** In the app's languages by default. */
export function yesNoChoices(
  languages: readonly string[] = Object.keys(WORDS),
): { value: string; text: Texts }[] {
  const of = (at: 0 | 1): Texts =>
    Object.fromEntries(
      languages.map((language) => [language, (WORDS[language.split('-')[0] ?? ''] ?? WORDS.en)?.[at] ?? '']),
    );
  return [
    { value: 'true', text: of(0) },
    { value: 'false', text: of(1) },
  ];
}
