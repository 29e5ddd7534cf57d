/** Changes between pending, approved, and rejected. */
import type { AnyMongoAbility } from '@casl/ability';
import { asRecord } from '../../../session/rights.ts';
import type { User } from '../../../wire.ts';

export type Status = User['approvalStatus'];

const STEPS: Record<Status, readonly Status[]> = {
  PENDING: ['APPROVED', 'REJECTED'],
  APPROVED: ['PENDING'],
  REJECTED: ['PENDING'],
};

/** The steps that the service would accept from this person for this record. */
export function allowedStepsOf(ability: AnyMongoAbility, user: User): readonly Status[] {
  const record = asRecord('User', user);
  if (!ability.can('update', record, 'approvalStatus')) return [];
  if (user.approvalStatus === 'REJECTED' && !ability.can('reopen', record)) return [];
  return STEPS[user.approvalStatus];
}
