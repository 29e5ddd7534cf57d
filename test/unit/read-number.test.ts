/** Reading numbers in the digits and with the separators that people type. */
import { toLatinDigits } from '../../src/platform/lib/text/latin-digits.ts';
import { normalizeNumberText, readNumber } from '../../src/platform/lib/text/read-number.ts';

test.each([
  ['12', 12],
  [' 12 ', 12],
  ['٤٢', 42],
  ['۴۲', 42],
  ['४२', 42],
  ['４２', 42],
  ['2,5', 2.5],
  ['2.5', 2.5],
  ['٢٫٥', 2.5],
  ['٢،٥', 2.5],
  ['2,', 2],
  ['.5', 0.5],
  ['-3', -3],
  ['−3,25', -3.25],
  ['47.606', 47.606],
  ['12 500', 12_500],
  ['٢٬٥٠٠', 2500],
  ['', null],
  ['-', null],
  ['1,2,3', null],
  ['1,000,000', null],
  ['1e5', null],
  ['12 people', null],
  ['0x10', null],
])('reads %j as %j', (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test.each([
  ['25', 0, 25],
  ['2,5', 0, null],
  ['2.5', 0, null],
  ['2,', 0, 2],
  ['1,000', 0, 1000],
  ['1.000.000', 0, 1_000_000],
  ['2,50', 2, 2.5],
  ['2,505', 2, 2505],
  ['1.000,50', 2, 1000.5],
  ['1,0000', 2, null],
  ['1,250', 3, 1.25],
])('reads %j with at most %d decimals as %j', (text, decimals, number) => {
  expect(readNumber(text, decimals)).toBe(number);
});

test('writes a number plainly, and leaves a text that is no number', () => {
  expect(normalizeNumberText('٢٫٥٠')).toBe('2.5');
  expect(normalizeNumberText('2,5', 0)).toBe('2,5');
  expect(normalizeNumberText('')).toBe('');
});

test('reads the digits of every script, also of those that follow each other directly', () => {
  expect(toLatinDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ 𝟎𝟗𝟘𝟡')).toBe('0123456789 0123456789 0909');
});
