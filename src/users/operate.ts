/** What operators do to accounts: the rules of the API, without an account of their own to be judged by. */
import type { ClientSession, Types } from 'mongoose';
import { inTransaction } from '../db/transaction.ts';
import { problem } from '../http/problem.ts';
import { parsePhone } from '../lib/phone.ts';
import { requireLocation } from '../locations/model.ts';
import { applyChanges, removeUser, requireTransition } from './change.ts';
import { insertUser, newUser, phoneOf } from './create.ts';
import { differenceOf } from './import.ts';
import { type UserRecord, Users } from './model.ts';
import type { UserCreate } from './schema.ts';
import { searchFilter } from './search.ts';

/** An approved account of any role. The same again answers the one that is there. */
export async function appointUser(
  body: UserCreate,
  region: string,
  now: Date,
): Promise<{ user: UserRecord; isNew: boolean }> {
  const location = body.location ? await requireLocation(body.location) : null;
  const phone = phoneOf(body.phone, region);
  const user = newUser(
    { ...body, phone, location, email: body.email ?? null, approvalStatus: 'APPROVED' },
    now,
  );
  return await inTransaction(async (session) => {
    const known = await Users.findOne({ phone, deletedAt: null }).session(session).lean<UserRecord>();
    if (!known) {
      await insertUser(session, user);
      return { user, isNew: true };
    }
    const fault = differenceOf(known, user) || (known.approvalStatus === 'APPROVED' ? '' : PENDING);
    if (fault) throw problem('PHONE_TAKEN', { message: `${phone}: ${fault}.` });
    return { user: known, isNew: false };
  });
}

const PENDING = 'there is an account with this phone already, PENDING';

type Changing = (user: UserRecord) => Partial<UserRecord>;

/** `change` is asked inside the transaction, with the record as it is then. */
export async function changeUser(
  who: { name: string; region: string },
  now: Date,
  change: Changing,
): Promise<UserRecord> {
  return await inTransaction(async (session) => {
    const user = await findUser(who, session);
    const changes = change(user);
    if (changes.approvalStatus) requireTransition(user.approvalStatus, changes.approvalStatus);
    return await applyChanges(session, user, changes, { by: null, now });
  });
}

export async function dismissUser(who: { name: string; region: string }, now: Date): Promise<UserRecord> {
  return await inTransaction(async (session) => {
    const user = await findUser(who, session);
    await removeUser(session, user, { by: null, now });
    return user;
  });
}

/** By id or phone. */
async function findUser(
  { name, region }: { name: string; region: string },
  session: ClientSession,
): Promise<UserRecord> {
  const phone = isId(name) ? null : parsePhone(name, region);
  const wanted = phone ? { phone } : { _id: name };
  const found =
    isId(name) || phone
      ? await Users.findOne({ ...wanted, deletedAt: null })
          .session(session)
          .lean<UserRecord>()
      : null;
  if (!found) throw problem('NOT_FOUND', { message: `There is no user with the id or phone ${name}.` });
  return found;
}

/**
 * By id, or by the phone that the account has or had: a deleted one too. A phone that passed from one person to another
 * names nobody.
 */
export async function findAnyone({ name, region }: { name: string; region: string }): Promise<UserRecord> {
  if (isId(name)) {
    const found = await Users.findById(name).lean<UserRecord>();
    if (found) return found;
    throw problem('NOT_FOUND', { message: `There is and was no user with the id ${name}.` });
  }
  const phone = parsePhone(name, region);
  const found = phone
    ? [
        ...(await Users.find({ phone, deletedAt: null }).lean<UserRecord[]>()),
        ...(await Users.find({ phone, deletedAt: { $gt: new Date(0) } })
          .sort({ deletedAt: -1 })
          .lean<UserRecord[]>()),
      ]
    : [];
  const [one, ...others] = found;
  if (!one) throw problem('NOT_FOUND', { message: `There is and was no user with the phone ${name}.` });
  if (others.length === 0) return one;
  const who = found.map(
    ({ _id, firstName, lastName, deletedAt }) =>
      `${_id} ${firstName} ${lastName} (${deletedAt ? `deleted ${deletedAt.toISOString().slice(0, 10)}` : 'has it now'})`,
  );
  throw problem('NOT_FOUND', {
    message: `${found.length} people have or had the phone ${phone}; name one by id: ${who.join(', ')}.`,
  });
}

const isId = (name: string) => /^[0-9a-f]{24}$/i.test(name);

export interface Wanted {
  status?: UserRecord['approvalStatus'] | undefined;
  role?: UserRecord['role'] | undefined;
  location?: Types.ObjectId | undefined;
  search?: string | undefined;
}

/** The newest first. */
export async function listUsers({ status, role, location, search }: Wanted): Promise<UserRecord[]> {
  const asked = { approvalStatus: status, role, location };
  const filter = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return await Users.find({ $and: [{ deletedAt: null }, filter, searchFilter(search)] })
    .sort({ createdAt: -1, _id: -1 })
    .lean<UserRecord[]>();
}
