/** Stores changed incentives with their audit events. */

import type { ClientSession } from 'mongoose';
import { audit, changesOf, type NewAuditEvent } from '../../platform/audit/model.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { IncentiveModel, type IncentiveRecord } from './model.ts';
import { NO_PAYMENT, type OwedInput } from './owed.ts';

export interface IncentiveChange {
  before: IncentiveRecord | null;
  after: IncentiveRecord;
}

export function incentiveChangesBetween(
  { incentives }: Pick<OwedInput, 'incentives'>,
  after: IncentiveRecord[],
) {
  const before = new Map(incentives.map((one) => [String(one._id), one]));
  return after.map((one): IncentiveChange => ({ before: before.get(String(one._id)) ?? null, after: one }));
}

export async function storeIncentives(
  session: ClientSession,
  changes: IncentiveChange[],
  author: Author,
  reason?: string,
): Promise<void> {
  await storeIncentivesWithoutAudit(session, changes);
  await audit(session, author, ...changes.flatMap((change) => incentiveAuditEvents(change, reason)));
}

export async function storeIncentivesWithoutAudit(
  session: ClientSession,
  changes: IncentiveChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await IncentiveModel.collection.bulkWrite(
    changes.map(({ before, after }) =>
      before
        ? { replaceOne: { filter: { _id: after._id }, replacement: after } }
        : { insertOne: { document: after } },
    ),
    { session },
  );
}

/** Without the reference, which may be a gift card's number. */
const toAuditFields = ({ reference: _, payments: __, updatedAt: ___, ...shown }: IncentiveRecord) => shown;

export function incentiveAuditEvents({ before, after }: IncentiveChange, reason?: string): NewAuditEvent[] {
  const { _id: record, location, site } = after;
  const event = { subject: 'Incentive', record, location: location ?? site, reason } as const;
  const updated = (from: object) =>
    ({ ...event, action: 'update', changes: changesOf(from, toAuditFields(after)) }) as const;
  if (before) return [updated(toAuditFields(before))];
  const created = { ...event, action: 'create' } as const;
  if (after.state !== 'PAID') return [created];
  // Paid at the interview: the same event as for any payment, plus the amount.
  const { reference: _, ...unpaid } = NO_PAYMENT;
  return [
    created,
    updated({ ...toAuditFields(after), ...unpaid, state: 'DUE', amount: null, currency: null }),
  ];
}
