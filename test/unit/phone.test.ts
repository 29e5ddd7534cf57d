import { isTextableNumber, parsePhone, phoneCountryOf } from '../../src/platform/lib/text/phone.ts';
import fc from '../fast-check.ts';

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
  ['(861) 555-0123', 'US', '+18615550123'],
  ['+1 436 555 0123', 'GB', '+14365550123'],
  ['+1 246 555 0123', 'US', '+12465550123'],
])('%j in %s is %s', (text, region, e164) => {
  expect(parsePhone(text, region)).toBe(e164);
});

test.each([
  ['nothing', ''],
  ['too short', '555'],
  ['an unknown area code', '+10005550100'],
  ['an exchange that begins with 1', '+18611550123'],
  ['an area code that ends in 11', '+12115550123'],
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

test.each(['+18615550123', '+14365550123', '+12065550100'])('%s gets codes if the US does', (phone) => {
  expect([
    phoneCountryOf(phone),
    isTextableNumber(phone, ['US']),
    isTextableNumber(phone, ['GB', 'CA']),
  ]).toEqual(['US', true, false]);
});

test.each([
  ['premium', '+19002345678'],
  ['toll-free', '+18002345678'],
  ['Jamaican', '+18765550123'],
  ['Canadian', '+14165550123'],
  ['Barbadian, in an unused range', '+12465550123'],
  ['of an area code that nobody has opened', '+12215550123'],
])('a number that is %s gets no codes in the US', (_what, phone) => {
  expect(parsePhone(phone, 'US')).toBe(phone);
  expect(isTextableNumber(phone, ['US'])).toBe(false);
});
