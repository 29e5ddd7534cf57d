/** Texts of one file in a language of their own, such as that of who keeps a slip. */
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadFieldTexts, type TextFile, textsIn } from './i18n.ts';

/** In this language, or in the app's; null until the texts are here. */
export function useTextsOf<File extends TextFile>(
  language: string | null,
  file: File,
): TFunction<File> | null {
  const { i18n } = useTranslation();
  const textLanguage = language ?? i18n.language;
  const [texts, setTexts] = useState<{ t: TFunction<File> } | null>(null);
  useEffect(() => {
    let current = true;
    const show = () => {
      if (current) setTexts({ t: textsIn(textLanguage, file) });
    };
    void Promise.all([loadFieldTexts(textLanguage, file), loadFieldTexts(i18n.language, file)]).then(
      show,
      show,
    );
    return () => {
      current = false;
    };
  }, [textLanguage, file, i18n.language]);
  return texts?.t ?? null;
}
