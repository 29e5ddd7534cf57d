import { bestLanguage } from '../../src/platform/lib/languages/best-language.ts';

test.each([
  ['pt-BR', ['en', 'pt', 'pt-BR'], ['pt-BR']],
  ['pt', ['en', 'pt'], ['pt-BR']],
  ['pt-BR', ['en', 'pt-BR'], ['pt']],
  ['es_MX', ['en', 'es_MX'], ['es-mx']],
  ['ar', ['en', 'ar'], ['ru', 'ar']],
  ['es', ['es', 'en'], ['ru']],
  [undefined, [], ['ru']],
])('%s serves best of %j for whoever wishes %j', (best, languages, wished) => {
  expect(bestLanguage(languages, wished)).toBe(best);
});
