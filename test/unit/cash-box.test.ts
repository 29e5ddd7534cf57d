/** What should be in the cash box at the end of the day. */
import { amountIn, amountLike } from '../../client/src/features/paying/cash-box.ts';

test.each([
  ['100', 100],
  [' 99,50 ', 99.5],
  ['99.', 99],
  ['١٠٠', 100],
  ['١٢٫٥', 12.5],
  ['۹۰', 90],
  ['', null],
  ['-5', null],
  ['1.000.000', null],
  ['a lot', null],
])('%j at the start is %j', (text, amount) => {
  expect(amountIn(text)).toBe(amount);
});

test('amounts have the decimals of the currency', () => {
  expect(amountLike('60.10', 100 - 60.1)).toBe('39.90');
  expect(amountLike('0.00', 0)).toBe('0.00');
  expect(amountLike('700', 300)).toBe('300');
  expect(amountLike('1.250', 8.75)).toBe('8.750');
});
