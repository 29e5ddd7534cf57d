/** Names must be visible: meaningless invisible characters are removed, misleading ones rejected. */
import { Name } from '../../src/platform/http/field-schemas.ts';

test.each([
  ['only zero-width characters', '\u200B\u200C\u200D\u2060\uFEFF'],
  ['a braille cell without dots', '\u2800'],
  ['a Korean filler', '\u3164'],
  ['a braille cell without dots inside', 'Ann\u2800Field'],
  ['a bidirectional override', 'Ann\u202E'],
  ['two lines', 'Ann\nField'],
])('a name is rejected that is or has %s', (_, name) => {
  expect(Name.safeParse(name).success).toBe(false);
});

test.each([
  ['\u200BA\u200Cn\u200Dn\u2060a\uFEFF\u200E\u200F', 'Anna'],
  ['Ann\u00ADa \u200B', 'Anna'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['क्\u200Dष', 'क्\u200Dष'],
  ['👩\u200D🌾 farm', '👩\u200D🌾 farm'],
  ['🏳\uFE0F\u200D🌈', '🏳\uFE0F\u200D🌈'],
  ['Привет\u200C', 'Привет'],
])('%j is stored as %j', (input, stored) => {
  expect(Name.parse(input)).toBe(stored);
});
