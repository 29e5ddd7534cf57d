import { percentageText } from '../../client/src/dashboard/results/kit/format-figures.ts';

test.each([
  [0.003, '0.3%'],
  [0.42, '42%'],
  [0.95, '95%'],
  [0.975, '97.5%'],
  [0.999, '99.9%'],
  [1, '100%'],
  [0, '0%'],
])('a share of %d is shown as %s: only near 0 and 100 percent with a decimal', (share, text) => {
  expect(percentageText(share, 'en')).toBe(text);
});
