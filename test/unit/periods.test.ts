import { daysOf, type PeriodName, periodNameOf } from '../../client/src/dashboard/payments/periods.ts';

test.each<[PeriodName, string, string, string]>([
  ['today', '2026-11-26', '2026-11-26', '2026-11-26'],
  ['yesterday', '2026-11-26', '2026-11-25', '2026-11-25'],
  ['yesterday', '2026-01-01', '2025-12-31', '2025-12-31'],
  ['thisMonth', '2026-11-26', '2026-11-01', '2026-11-26'],
  ['lastMonth', '2026-11-26', '2026-10-01', '2026-10-31'],
  ['lastMonth', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['lastMonth', '2028-03-31', '2028-02-01', '2028-02-29'],
])('%s on %s is from %s to %s', (period, today, from, to) => {
  expect(daysOf(period, today)).toEqual({ from, to });
  expect(periodNameOf({ from, to }, today)).toBe(period);
});

test('other dates match no period, and on the first of a month “today” wins', () => {
  expect(periodNameOf({ from: '2026-11-02', to: '2026-11-26' }, '2026-11-26')).toBeNull();
  expect(periodNameOf({ from: '2026-11-01', to: '2026-11-01' }, '2026-11-01')).toBe('today');
});
