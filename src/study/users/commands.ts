/** Account changes by operators' commands: the same rules as in the API, but without permission checks. */

import type { ClientSession, Types } from 'mongoose';
import { inTransaction } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { definedFields } from '../../platform/lib/objects/defined-fields.ts';
import { isRecordId } from '../../platform/lib/record-id.ts';
import { parsePhone } from '../../platform/lib/text/phone.ts';
import { requireExistingLocation } from '../locations/model.ts';
import { applyUserChanges, removeUser, requireApprovalTransition } from './change.ts';
import { insertUser, newUser, requirePhone } from './create.ts';
import { describeUserDifferences } from './import.ts';
import { UserModel, type UserRecord } from './model.ts';
import type { UserCreate } from './schema.ts';
import { userSearchFilter } from './search-filter.ts';

/** Creates an approved account of any role; returns the existing one if it has the same data. */
export async function createApprovedUser(
  body: UserCreate,
  region: string,
  now: Date,
): Promise<{ user: UserRecord; isNew: boolean }> {
  const location = body.location ? await requireExistingLocation(body.location) : null;
  const phone = requirePhone(body.phone, region);
  const user = newUser(
    { ...body, phone, location, email: body.email ?? null, approvalStatus: 'APPROVED' },
    now,
  );
  return await inTransaction(async (session) => {
    const existing = await UserModel.findOne({ phone, deletedAt: null }).session(session).lean<UserRecord>();
    if (!existing) {
      await insertUser(session, user);
      return { user, isNew: true };
    }
    const fault =
      describeUserDifferences(existing, user) ||
      (existing.approvalStatus === 'APPROVED' ? '' : PENDING_ACCOUNT);
    if (fault) throw problem('PHONE_TAKEN', { message: `${phone}: ${fault}.` });
    return { user: existing, isNew: false };
  });
}

const PENDING_ACCOUNT = 'there is an account with this phone already, PENDING';

type BuildChanges = (user: UserRecord) => Partial<UserRecord>;

/** `change` is called inside the transaction, with the current record. */
export async function changeUser(
  who: { name: string; region: string },
  now: Date,
  change: BuildChanges,
): Promise<UserRecord> {
  return await inTransaction(async (session) => {
    const user = await findUserByIdOrPhone(who, session);
    const changes = change(user);
    if (changes.approvalStatus) requireApprovalTransition(user.approvalStatus, changes.approvalStatus);
    return await applyUserChanges(session, user, changes, { by: null, now });
  });
}

export async function removeUserByIdOrPhone(
  who: { name: string; region: string },
  now: Date,
): Promise<UserRecord> {
  return await inTransaction(async (session) => {
    const user = await findUserByIdOrPhone(who, session);
    await removeUser(session, user, { by: null, now });
    return user;
  });
}

/** By id or phone. */
export async function findUserByIdOrPhone(
  { name, region }: { name: string; region: string },
  session: ClientSession,
): Promise<UserRecord> {
  const phone = isRecordId(name) ? null : parsePhone(name, region);
  const filter = phone ? { phone } : { _id: name };
  const user =
    isRecordId(name) || phone
      ? await UserModel.findOne({ ...filter, deletedAt: null })
          .session(session)
          .lean<UserRecord>()
      : null;
  if (!user) throw problem('NOT_FOUND', { message: `No user has the id or phone ${name}.` });
  return user;
}

/**
 * Finds an account, even if deleted, by its id or by a current or former phone. Refuses a phone that several people
 * have had.
 */
export async function findUserEvenDeleted({
  name,
  region,
}: {
  name: string;
  region: string;
}): Promise<UserRecord> {
  if (isRecordId(name)) {
    const user = await UserModel.findById(name).lean<UserRecord>();
    if (user) return user;
    throw problem('NOT_FOUND', { message: `No user, current or deleted, has the id ${name}.` });
  }
  const phone = parsePhone(name, region);
  const users = phone
    ? [
        ...(await UserModel.find({ phone, deletedAt: null }).lean<UserRecord[]>()),
        ...(await UserModel.find({ phone, deletedAt: { $gt: new Date(0) } })
          .sort({ deletedAt: -1 })
          .lean<UserRecord[]>()),
      ]
    : [];
  const [one, ...others] = users;
  if (!one) throw problem('NOT_FOUND', { message: `No user, current or deleted, has the phone ${name}.` });
  if (others.length === 0) return one;
  const who = users.map(
    ({ _id, firstName, lastName, deletedAt }) =>
      `${_id} ${firstName} ${lastName} (${deletedAt ? `deleted ${deletedAt.toISOString().slice(0, 10)}` : 'has it now'})`,
  );
  throw problem('NOT_FOUND', {
    message: `${users.length} people have or had the phone ${phone}. Use an id instead: ${who.join(', ')}.`,
  });
}

export interface UserFilter {
  status?: UserRecord['approvalStatus'] | undefined;
  role?: UserRecord['role'] | undefined;
  location?: Types.ObjectId | undefined;
  search?: string | undefined;
}

/** Newest first. */
export async function listUsers({ status, role, location, search }: UserFilter): Promise<UserRecord[]> {
  const filter = definedFields({ approvalStatus: status, role, location });
  return await UserModel.find({ $and: [{ deletedAt: null }, filter, userSearchFilter(search)] })
    .sort({ createdAt: -1, _id: -1 })
    .lean<UserRecord[]>();
}
