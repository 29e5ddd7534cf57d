/** The form library's own texts, in every language that the app has. */
import { readdirSync } from 'node:fs';
import { Model, surveyLocalization } from 'survey-core';
import { loadFormLibraryLocale } from '../../src/questionnaires/validator/library-locales.ts';
import { FORM_LIBRARY_TEXTS } from '../../src/questionnaires/validator/library-texts.ts';

const LANGUAGES = readdirSync('locales', { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name);
const english = { ...(surveyLocalization.locales.en as Record<string, string>) };
const gaps = (text: string) => (text.match(/\{[^}]*\}/g) ?? []).sort();

test.each(LANGUAGES)('texts in %s exist in the library, and keep its placeholders', async (language) => {
  await loadFormLibraryLocale(language);
  const texts = surveyLocalization.locales[language] as Record<string, string>;
  for (const key of Object.keys(FORM_LIBRARY_TEXTS[language] ?? {})) expect(english).toHaveProperty(key);
  const visibleKeys = Object.keys(english).filter((key) => !/^(timer|file|photo|toc$|urlRequest)/.test(key));
  const odd = visibleKeys.filter((key) => {
    const own = gaps(texts[key] ?? '');
    return texts[key] === undefined || own.join() !== gaps(english[key] ?? '').join();
  });
  expect(odd).toEqual([]);
});

test('the Clear button says “clear” as a verb in Arabic', async () => {
  await loadFormLibraryLocale('ar');
  const model = new Model({ elements: [{ type: 'radiogroup', name: 'a', choices: [1], allowClear: true }] });
  model.locale = 'ar';
  expect((model.getQuestionByName('a') as unknown as { clearButtonCaption: string }).clearButtonCaption).toBe(
    'مسح',
  );
});
