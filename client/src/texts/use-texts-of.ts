/** Texts from one file in a language other than the app's, such as that of the person who gets a slip. */
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadInterviewTexts, type TextNamespace, translateFunctionFor } from './i18n.ts';

/** In this language, or else in the app's; null until loaded. */
export function useTextsInLanguage<File extends TextNamespace>(
  language: string | null,
  file: File,
): TFunction<File> | null {
  const { i18n } = useTranslation();
  const textLanguage = language ?? i18n.language;
  const [texts, setTexts] = useState<{ t: TFunction<File> } | null>(null);
  useEffect(() => {
    let current = true;
    const show = () => {
      if (current) setTexts({ t: translateFunctionFor(textLanguage, file) });
    };
    void Promise.all([loadInterviewTexts(textLanguage, file), loadInterviewTexts(i18n.language, file)]).then(
      show,
      show,
    );
    return () => {
      current = false;
    };
  }, [textLanguage, file, i18n.language]);
  return texts?.t ?? null;
}
