import { MAX_LISTED_PAYMENTS, recentPayments } from '../../client/src/phone/payments/latest-payments.ts';

const paid = (id: string, paidAt: string | null) => ({ id, paidAt });

test('the latest payment is listed first', () => {
  const payments = [
    paid('c', '2026-11-26T09:00:00.000Z'),
    paid('b', '2026-11-26T17:30:00.000Z'),
    paid('a', '2026-11-26T11:00:00.000Z'),
  ];
  expect(recentPayments(payments).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

test('payments at the same time are always in the same order', () => {
  const at = '2026-11-26T09:00:00.000Z';
  const [one, two] = [paid('a', at), paid('b', at)];
  expect(recentPayments([two, one])).toEqual(recentPayments([one, two]));
});

test('only the latest payments are listed', () => {
  const payments = Array.from({ length: MAX_LISTED_PAYMENTS + 5 }, (_, at) =>
    paid(String(at), new Date(1_790_000_000_000 + at * 60_000).toISOString()),
  );
  const listed = recentPayments(payments);
  expect(listed).toHaveLength(MAX_LISTED_PAYMENTS);
  expect(listed[0]).toBe(payments.at(-1));
  expect(listed.at(-1)).toBe(payments[5]);
});
