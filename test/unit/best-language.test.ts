import { bestLanguage } from '../../src/platform/lib/languages/best-language.ts';

test.each([
  ['pt-BR', ['en', 'pt', 'pt-BR'], ['pt-BR']],
  ['pt', ['en', 'pt'], ['pt-BR']],
  ['pt-BR', ['en', 'pt-BR'], ['pt']],
  ['es_MX', ['en', 'es_MX'], ['es-mx']],
  ['ar', ['en', 'ar'], ['ru', 'ar']],
  ['es', ['es', 'en'], ['ru']],
  [undefined, [], ['ru']],
])('%s is the best of %j for someone who prefers %j', (best, languages, wished) => {
  expect(bestLanguage(languages, wished)).toBe(best);
});
