import { relativeTime } from '../../client/src/dashboard/kit/words/relative-time.ts';

const NOW = Date.parse('2026-11-26T20:00:00Z');

test.each([
  ['2026-11-26T19:59:40Z', 'en', 'this minute'],
  ['2026-11-26T19:15:00Z', 'en', '45 minutes ago'],
  ['2026-11-26T01:00:00Z', 'en', '19 hours ago'],
  // The evening before yesterday is not yesterday, and 71 hours ago not the day before it.
  ['2026-11-24T21:00:00Z', 'en', '1 day ago'],
  ['2026-11-23T21:00:00Z', 'es', 'hace 2 días'],
])('%s is in %s: %s', (at, language, age) => {
  expect(relativeTime(at, language, NOW)).toBe(age);
});
