/** What should be in the cash box at the end of the day. */
import { formatAmountLike, parseAmountLike } from '../../client/src/phone/payments/cash-box.ts';

test.each([
  ['100', 100],
  [' 99,50 ', 99.5],
  ['99.', 99],
  ['١٠٠', 100],
  ['١٢٫٥', 12.5],
  ['۹۰', 90],
  ['', null],
  ['-5', null],
  ['1,000', 1000],
  ['1.000.000', 1_000_000],
  ['1.000,50', 1000.5],
  ['٢٬٥٠٠', 2500],
  ['1,0000', null],
  ['9.999', 9999],
  ['99.9999', null],
  ['a lot', null],
])('%j dollars at the start are %j', (text, amount) => {
  expect(parseAmountLike(text, '0.00')).toBe(amount);
});

test.each([
  ['1.250', '0.000', 1.25],
  ['12٬500', '0.000', 12_500],
  ['25,000', '0', 25_000],
  ['99.', '0', 99],
  ['99.5', '0', null],
])('%j in a currency with amounts like %j is %j', (text, like, amount) => {
  expect(parseAmountLike(text, like)).toBe(amount);
});

test('amounts have the decimals of the currency', () => {
  expect(formatAmountLike('60.10', 100 - 60.1)).toBe('39.90');
  expect(formatAmountLike('0.00', 0)).toBe('0.00');
  expect(formatAmountLike('700', 300)).toBe('300');
  expect(formatAmountLike('1.250', 8.75)).toBe('8.750');
});
