import fc from 'fast-check';
import { parsePhone } from '../../src/lib/phone.ts';

test.each([
  ['+12065550100', 'US', '+12065550100'],
  ['(206) 555-0100', 'US', '+12065550100'],
  [' 206.555.0100 ', 'US', '+12065550100'],
  ['1 206 555 0100', 'US', '+12065550100'],
  ['07400 123456', 'GB', '+447400123456'],
  ['+44 7400 123456', 'US', '+447400123456'],
  ['55 1234 5678', 'MX', '+525512345678'],
  ['\u202A+1 (206) 555\u201101 00\u202C', 'US', '+12065550100'],
  ['206\u202F555\u202F0100', 'US', '+12065550100'],
])('%j in %s is %s', (text, region, e164) => {
  expect(parsePhone(text, region)).toBe(e164);
});

test.each([
  ['nothing', ''],
  ['too short', '555'],
  ['an unknown area code', '+10005550100'],
  ['an unknown country code', '+9990000000'],
  ['too long', '+120655501000'],
  ['an extension', '+1 206 555 0100 ext. 5'],
  ['text around the number', 'call +12065550100'],
  ['a null byte', '+12065550100\0'],
  ['letters', '206-FLOWERS!'],
  ['a very long text', `${' '.repeat(40)}+12065550100`],
])('%s is not a phone number', (_what, text) => {
  expect(parsePhone(text, 'US')).toBeNull();
});

test('parsing any text never fails, and its result is E.164 that parses to itself', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'0123456789+-() x#;='), maxLength: 30 }),
    fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }).map(String),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const e164 = parsePhone(text, 'US');
      if (e164 === null) return;
      expect(e164).toMatch(/^\+[1-9]\d{5,14}$/);
      expect(parsePhone(e164, 'DE')).toBe(e164);
    }),
    { numRuns: 1000 },
  );
});
