import type { ClientSession } from 'mongoose';
import mongoose from 'mongoose';
import { audit, changesOf } from '../../platform/audit/model.ts';
import type { AuditedFieldChange } from '../../platform/audit/schema.ts';
import { inTransaction, lockInTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { definedFields } from '../../platform/lib/objects/defined-fields.ts';
import { type Actor, type Author, authorFromActor } from '../../platform/rights/actor.ts';
import { loadPermittedRecord, requireMayChange, requireRight } from '../../platform/rights/guard.ts';
import { DeviceModel } from '../devices/model.ts';
import { expireUserDevices } from '../devices/report.ts';
import { requireExistingLocation } from '../locations/model.ts';
import { endTokensOf } from '../tokens/end.ts';
import { UserModel, type UserRecord } from './model.ts';
import type { ApprovalStatus, UserPatch } from './schema.ts';

const TRANSITIONS: Record<ApprovalStatus, readonly ApprovalStatus[]> = {
  PENDING: ['APPROVED', 'REJECTED'],
  APPROVED: ['PENDING'],
  REJECTED: ['PENDING'],
};

export async function updateUser(actor: Actor, id: string, body: UserPatch): Promise<UserRecord> {
  return await inTransaction(async (session) => {
    if (body.location) await requireExistingLocation(body.location, session);
    const user = await loadPermittedRecord(actor, 'update', UserModel, id, session);
    const changes = toStoredChanges(body);
    requireMayUpdateUser(actor, user, body, changes);
    requireUnchanged(user, body.was);
    return await applyUserChanges(session, user, changes, authorFromActor(actor));
  }, actor.deadline);
}

/** `changes` is the part of `body` that would be stored. */
export function requireMayUpdateUser(
  actor: Actor,
  user: UserRecord,
  body: Pick<UserPatch, 'approvalStatus'>,
  changes: Partial<UserRecord>,
): void {
  requireMayChange(actor, 'User', user, changes, ['location']);
  if (body.approvalStatus) requireMayTransition(actor, user, body.approvalStatus);
}

/** An undo is refused if someone else has changed the account since. */
function requireUnchanged(user: UserRecord, was: UserPatch['was'] = {}): void {
  const now = user as unknown as Record<string, unknown>;
  // Compare as text, because each read creates a new ObjectId.
  const isOther = ([path, value]: [string, unknown]) =>
    value !== undefined && String(now[path]) !== String(value);
  if (Object.entries(was).some(isOther)) throw problem('EDIT_CONFLICT');
}

function toStoredChanges(body: UserPatch): Partial<UserRecord> {
  const { location, was, ...rest } = body;
  const changes = definedFields(rest);
  if (location === undefined) return changes;
  return { ...changes, location: location === null ? null : new mongoose.Types.ObjectId(location) };
}

function requireMayTransition(actor: Actor, user: UserRecord, status: ApprovalStatus): void {
  const reopening = user.approvalStatus === 'REJECTED' && status === 'PENDING';
  if (reopening) requireRight(actor, 'reopen', 'User', user);
  requireApprovalTransition(user.approvalStatus, status);
}

export function requireApprovalTransition(from: ApprovalStatus, to: ApprovalStatus): void {
  if (TRANSITIONS[from].includes(to)) return;
  throw problem('INVALID_TRANSITION', { why: fault('ACCOUNT_STATE', { from, to }) });
}

/** Permissions must be checked before. Also records who approved the account and when the site was assigned. */
export async function applyUserChanges(
  session: ClientSession,
  user: UserRecord,
  changes: Partial<UserRecord>,
  { by, now }: Author,
): Promise<UserRecord> {
  const after: UserRecord = { ...user, ...changes };
  if (changes.approvalStatus) after.approvedBy = changes.approvalStatus === 'APPROVED' ? by : null;
  if ('location' in changes) after.locationAssignedAt = changes.location ? now : null;
  const actualChanges = changesOf(user, after);
  if (actualChanges.length === 0) return user;
  after.updatedAt = now;
  const isRejected = changes.approvalStatus === 'REJECTED';
  const gains = gainsRights(actualChanges, after) && (await wasSignedInByColleague(session, user));
  if (isRejected || gains) {
    after.tokenGeneration = (user.tokenGeneration ?? 0) + 1;
    after.sessions = [];
  }

  if (isActiveSuperAdmin(user) && !isActiveSuperAdmin(after)) await requireAnotherSuperAdmin(session, user);
  const { _id, ...fields } = after;
  await UserModel.collection.updateOne({ _id }, { $set: fields }, { session });
  // Until the devices report again.
  if (changes.location)
    await DeviceModel.collection.updateMany(
      { user: _id },
      { $set: { location: changes.location } },
      { session },
    );
  if (isActiveSuperAdmin(user) && !isActiveSuperAdmin(after)) await endTokensOf(session, _id, { by, now });
  const location = after.location ?? user.location;
  const about = { subject: 'User', record: _id, location } as const;
  await audit(session, { by, now }, { ...about, action: 'update', changes: actualChanges });
  if (gains || (isRejected && user.sessions?.length))
    await audit(session, { by, now }, { ...about, action: 'signOut' });
  return after;
}

const gainsRights = (changes: AuditedFieldChange[], { role, permissions }: UserRecord) =>
  changes.some(
    ({ path }) =>
      (path === 'permissions' && permissions.length > 0) || (path === 'role' && role !== 'VOLUNTEER'),
  );

/**
 * A colleague whose sign-in code was used may have that session, so it must not gain rights that only super-admins can
 * give.
 */
async function wasSignedInByColleague(session: ClientSession, { codeSignIn }: UserRecord): Promise<boolean> {
  if (!codeSignIn) return false;
  const maker = await UserModel.findOne({ _id: codeSignIn.by }, { role: 1 }).session(session).lean();
  return maker?.role !== 'SUPER_ADMIN';
}

const isActiveSuperAdmin = (user: UserRecord) =>
  user.role === 'SUPER_ADMIN' && user.approvalStatus === 'APPROVED';

async function requireAnotherSuperAdmin(session: ClientSession, user: UserRecord): Promise<void> {
  await lockInTransaction(session, 'super-admins');
  const another = await UserModel.findOne(
    { role: 'SUPER_ADMIN', deletedAt: null, approvalStatus: 'APPROVED', _id: { $ne: user._id } },
    { _id: 1 },
  )
    .session(session)
    .lean();
  if (!another) throw problem('LAST_SUPER_ADMIN');
}

/** Soft delete: the record remains, its phone can be used again, and its tokens stop working. */
export async function deleteUser(actor: Actor, id: string): Promise<void> {
  await inTransaction(async (session) => {
    const user = await loadPermittedRecord(actor, 'delete', UserModel, id, session);
    await removeUser(session, user, authorFromActor(actor));
  }, actor.deadline);
}

export async function removeUser(session: ClientSession, user: UserRecord, author: Author): Promise<void> {
  if (isActiveSuperAdmin(user)) await requireAnotherSuperAdmin(session, user);
  await UserModel.collection.updateOne(
    { _id: user._id },
    {
      $set: { deletedAt: author.now, updatedAt: author.now, sessions: [] },
      $unset: { passkeys: '', recoveryCodes: '' },
    },
    { session },
  );
  await endTokensOf(session, user._id, author);
  await expireUserDevices(session, user._id, author.now);
  const { _id: record, location } = user;
  await audit(session, author, { action: 'delete', subject: 'User', record, location });
}
