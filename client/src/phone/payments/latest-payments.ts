import type { Incentive } from '../../wire.ts';

/** More than anybody looks through on a phone. */
export const MAX_LISTED = 200;

/** The last payment first, whenever it became due. */
export const latestPayments = <Payment extends Pick<Incentive, 'id' | 'paidAt'>>(
  payments: readonly Payment[],
): Payment[] =>
  payments
    .toSorted((a, b) => (b.paidAt ?? '').localeCompare(a.paidAt ?? '') || a.id.localeCompare(b.id))
    .slice(0, MAX_LISTED);
