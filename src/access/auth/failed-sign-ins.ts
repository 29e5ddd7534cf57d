/**
 * Failed sign-ins and lock-outs in the history of an account: one event per day and reason, with a count. The caller's
 * address isn't recorded.
 */
import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import { AuditEventModel } from '../../platform/audit/model.ts';
import type { AuditAction, SignInFailureReason } from '../../platform/audit/schema.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { studyTimeZone } from '../../study/settings/time-zone.ts';
import type { UserRecord } from '../../study/users/model.ts';

const ACTIONS: Record<SignInFailureReason, AuditAction> = {
  WRONG_CODE: 'signInFailed',
  NO_CODE: 'signInFailed',
  WRONG_PASSKEY: 'signInFailed',
  PASSKEY_COUNTER: 'signInFailed',
  WRONG_RECOVERY_CODE: 'signInFailed',
  TOO_MANY_GUESSES: 'lockOut',
  TOO_MANY_CODES: 'lockOut',
};

export async function auditFailedSignIn(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  { _id: record, location }: UserRecord,
  reason: SignInFailureReason,
): Promise<void> {
  const at = now();
  const day = isoDateAt(at, await studyTimeZone(config));
  // The same for all failures of a day, so that they are counted in one event, even if concurrent.
  const key = createHash('sha256').update(`${record} ${day} ${reason}`).digest('hex').slice(0, 24);
  const count = { $add: [{ $ifNull: [{ $first: '$changes.after' }, 0] }, 1] };
  const event = {
    ...{ by: null, action: ACTIONS[reason], subject: 'User', record, location, reason },
    ...{
      createdAt: { $ifNull: ['$createdAt', at] },
      changes: [{ path: 'failures', before: null, after: count }],
    },
  };
  const _id = new mongoose.Types.ObjectId(key);
  await AuditEventModel.collection.updateOne({ _id }, [{ $set: event }], { upsert: true });
}
