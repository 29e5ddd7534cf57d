import { type UserRecord, Users } from './model.ts';

/** Whose phone it is. */
export const userWith = (phone: string) => Users.findOne({ phone, deletedAt: null }).lean<UserRecord>();
