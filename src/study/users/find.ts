import type { ClientSession } from 'mongoose';
import { type UserRecord, Users } from './model.ts';

export const findUserByPhone = (phone: string) =>
  Users.findOne({ phone, deletedAt: null }).lean<UserRecord>();

/** Includes deleted accounts, so that the setup link never becomes valid again. */
export async function hadSuperAdmin(session: ClientSession | null = null): Promise<boolean> {
  return (await Users.findOne({ role: 'SUPER_ADMIN' }, { _id: 1 }).session(session).lean()) !== null;
}

export async function hasSuperAdminWithPasskey(): Promise<boolean> {
  const filter = { role: 'SUPER_ADMIN', approvalStatus: 'APPROVED', deletedAt: null } as const;
  const user = await Users.collection.findOne({ ...filter, 'passkeys.0': { $exists: true } });
  return user !== null;
}
