import type { Incentive } from '../../wire.ts';

/** More than anyone looks through on a phone. */
export const MAX_LISTED_PAYMENTS = 200;

/** By time of payment, latest first, regardless of when they became due. */
export const recentPayments = <Payment extends Pick<Incentive, 'id' | 'paidAt'>>(
  payments: readonly Payment[],
): Payment[] =>
  payments
    .toSorted((a, b) => (b.paidAt ?? '').localeCompare(a.paidAt ?? '') || a.id.localeCompare(b.id))
    .slice(0, MAX_LISTED_PAYMENTS);
