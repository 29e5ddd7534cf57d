import type { ClientSession } from 'mongoose';
import { type UserRecord, Users } from './model.ts';

/** Whose phone it is. */
export const userWith = (phone: string) => Users.findOne({ phone, deletedAt: null }).lean<UserRecord>();

/** Deleted ones count too: the set-up link does not come back to life. */
export async function hadSuperAdmin(session: ClientSession | null = null): Promise<boolean> {
  return (await Users.findOne({ role: 'SUPER_ADMIN' }, { _id: 1 }).session(session).lean()) !== null;
}
