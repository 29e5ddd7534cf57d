import type { ClientSession } from 'mongoose';
import { UserModel, type UserRecord } from './model.ts';

export const findUserByPhone = (phone: string) =>
  UserModel.findOne({ phone, deletedAt: null }).lean<UserRecord>();

/** Includes deleted accounts, so that the setup link never becomes valid again. */
export async function hadSuperAdmin(session: ClientSession | null = null): Promise<boolean> {
  return (await UserModel.findOne({ role: 'SUPER_ADMIN' }, { _id: 1 }).session(session).lean()) !== null;
}

export async function hasSuperAdminWithPasskey(): Promise<boolean> {
  const filter = { role: 'SUPER_ADMIN', approvalStatus: 'APPROVED', deletedAt: null } as const;
  const user = await UserModel.collection.findOne({ ...filter, 'passkeys.0': { $exists: true } });
  return user !== null;
}
