/** Changes between pending, approved, and rejected. */
import type { AnyMongoAbility } from '@casl/ability';
import { asPermissionSubject } from '../../../session/rights.ts';
import type { User } from '../../../wire.ts';

export type AccountStatus = User['approvalStatus'];

const STEPS: Record<AccountStatus, readonly AccountStatus[]> = {
  PENDING: ['APPROVED', 'REJECTED'],
  APPROVED: ['PENDING'],
  REJECTED: ['PENDING'],
};

/** The steps that the service would accept from this person for this record. */
export function allowedApprovalStepsOf(ability: AnyMongoAbility, user: User): readonly AccountStatus[] {
  const record = asPermissionSubject('User', user);
  if (!ability.can('update', record, 'approvalStatus')) return [];
  if (user.approvalStatus === 'REJECTED' && !ability.can('reopen', record)) return [];
  return STEPS[user.approvalStatus];
}
