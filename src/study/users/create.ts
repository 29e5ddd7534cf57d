import mongoose, { type ClientSession } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem } from '../../platform/http/problems/problem.ts';
import { isTextableNumber, parsePhone } from '../../platform/lib/text/phone.ts';
import { asSubject } from '../../platform/rights/ability.ts';
import type { Actor, Author } from '../../platform/rights/actor.ts';
import { requireRight, requireRightToCreate } from '../../platform/rights/guard.ts';
import { requireExistingLocation } from '../locations/model.ts';
import { UserModel, type UserRecord } from './model.ts';
import type { UserCreate } from './schema.ts';

/** The phone in E.164 format; 400 at `phone` if invalid. */
export function requirePhone(text: string, region: string): string {
  const phone = parsePhone(text, region);
  if (!phone) throw invalidFieldProblem('phone', 'NOT_PHONE');
  return phone;
}

/** Warns that the account can only sign in with a code created by a super-admin. */
export const phoneWarnings = (phone: string, countries: readonly string[]) =>
  isTextableNumber(phone, countries) ? {} : { warnings: [fieldError('phone', 'PHONE_NOT_SERVED')] };

/** A complete record, with defaults for all other fields. */
export function newUser(
  fields: Pick<UserRecord, 'firstName' | 'lastName' | 'phone' | 'role'> & Partial<UserRecord>,
  now: Date,
): UserRecord {
  return {
    _id: new mongoose.Types.ObjectId(),
    email: null,
    approvalStatus: 'PENDING',
    approvedBy: null,
    location: null,
    locationAssignedAt: fields.location ? now : null,
    permissions: [],
    createdBy: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    ...fields,
  };
}

/** The unique index on active accounts' phones refuses a second account (PHONE_TAKEN). */
export const insertUser = (session: ClientSession, user: UserRecord, by = user.createdBy) =>
  insertUsers(session, [user], { by, now: user.createdAt });

export async function insertUsers(
  session: ClientSession,
  users: UserRecord[],
  author: Author,
): Promise<void> {
  const sites = new Set(users.flatMap(({ location }) => location?.toHexString() ?? []));
  for (const site of sites) await requireExistingLocation(site, session);
  await UserModel.collection.insertMany(users, { session });
  const event = { action: 'create', subject: 'User' } as const;
  await audit(session, author, ...users.map(({ _id: record, location }) => ({ ...event, record, location })));
}

export async function createUser(actor: Actor, body: UserCreate, region: string): Promise<UserRecord> {
  const phone = requirePhone(body.phone, region);
  const location = body.location ? await requireExistingLocation(body.location) : null;
  const draft = newUser(
    { ...body, phone, location, email: body.email ?? null, createdBy: actor.user._id },
    actor.now,
  );
  draft.approvalStatus = 'PENDING';
  if (body.location === undefined && !actor.ability.can('create', asSubject('User', draft))) {
    // If the caller may only create users at their own location, it is the default.
    draft.location = actor.location ? await requireExistingLocation(actor.location.toHexString()) : null;
    draft.locationAssignedAt = draft.location ? actor.now : null;
  }
  requireRightToCreate(actor, 'User', draft);
  if (body.approvalStatus === 'APPROVED') {
    requireRight(actor, 'update', 'User', draft, 'approvalStatus');
    draft.approvalStatus = 'APPROVED';
    draft.approvedBy = actor.user._id;
  }
  await inTransaction(async (session) => {
    await insertUser(session, draft);
  }, actor.deadline);
  return draft;
}
