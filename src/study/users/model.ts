import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import { NAME_COLLATION } from '../../platform/http/lists/page.ts';
import { ApprovalStatus, type Grant, Role } from './schema.ts';

/**
 * How a session was started: with a code sent to the phone by SMS or call, with a colleague's code, which the colleague
 * knows too, or with a passkey.
 */
export type SignInMethod = 'message' | 'colleague' | 'passkey';

/** See access/auth/passkeys. */
export interface Passkey {
  id: Types.ObjectId;
  name: string;
  /** The credential id, base64url. */
  credential: string;
  /** COSE, base64url. */
  publicKey: string;
  /** The counter of the last signature; 0 if the authenticator doesn't count. */
  counter: number;
  /** How browsers reach the authenticator. */
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** A sign-in; see sessions.ts. */
export interface UserSession {
  id: Types.ObjectId;
  /** Name of the browser and system that signed in. */
  client: string;
  createdAt: Date;
  /** Rounded to the hour, so that it is written at most once an hour. */
  lastSeenAt: Date;
  /** When its token expires. */
  expiresAt: Date;
  /** Absent if an older version created it. */
  method?: SignInMethod;
  /** Whether it was confirmed by a passkey or a recovery code. */
  secondFactor: boolean;
  /** Hash of the device (auth/known-devices.ts). */
  device?: string;
  /** When its last send token expires. Absent if it never had one. */
  sendsUntil?: Date;
  /** Set if the person signed out on this device: then only its send token is valid. */
  signedOutAt?: Date;
}

export interface UserRecord {
  _id: Types.ObjectId;
  firstName: string;
  lastName: string;
  /** E.164; unique among users who aren't deleted. */
  phone: string;
  email: string | null;
  role: Role;
  approvalStatus: ApprovalStatus;
  approvedBy: Types.ObjectId | null;
  /** The assigned location; the current one is derived (rules/access-checks.ts). */
  location: Types.ObjectId | null;
  /** When `location` was assigned: a later survey overrides it. */
  locationAssignedAt: Date | null;
  permissions: Grant[];
  /**
   * How often all tokens of this user were ended. A token contains the generation in which it was issued; absent means
   * 0.
   */
  tokenGeneration?: number;
  /** When a code sent to this phone by SMS or call was first entered. Absent if never. */
  phoneProvedAt?: Date;
  /** Hashes of the devices on which this phone has signed in; see auth/known-devices.ts. */
  knownDevices?: { hash: string; usedAt: Date; byColleague?: true }[];
  /** The latest sign-ins; see sessions.ts. Newest last. */
  sessions?: UserSession[];
  /** Absent if there are none; see passkeys.ts. */
  passkeys?: Passkey[];
  /** Hashes of the unused recovery codes. */
  recoveryCodes?: string[];
  /** When somebody else last removed all passkeys; `by` is null for an operator's command. */
  passkeysRemoved?: { by: Types.ObjectId | null; at: Date };
  /** The last sign-in with a colleague's code. */
  codeSignIn?: { by: Types.ObjectId; at: Date };
  /** Who created the account; null if the person signed up. */
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  /** Written, but never read, so that two transactions conflict: see reserved-blocks.ts. */
  blocksReserved?: number;
}

const schema = new Schema<UserRecord>(
  {
    firstName: { type: String, required: true },
    lastName: { type: String, required: true },
    phone: { type: String, required: true },
    email: String,
    role: { type: String, enum: Role.options, required: true },
    approvalStatus: { type: String, enum: ApprovalStatus.options, required: true },
    approvedBy: { type: Schema.Types.ObjectId, ref: 'User' },
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    locationAssignedAt: Date,
    permissions: { type: [{ type: Schema.Types.Mixed }], required: true },
    tokenGeneration: Number,
    phoneProvedAt: Date,
    knownDevices: [Schema.Types.Mixed],
    sessions: [Schema.Types.Mixed],
    passkeys: [Schema.Types.Mixed],
    recoveryCodes: [String],
    passkeysRemoved: Schema.Types.Mixed,
    codeSignIn: Schema.Types.Mixed,
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    deletedAt: Date,
    blocksReserved: Number,
  },
  schemaOptions('users'),
);
schema.index(
  { phone: 1 },
  { name: 'phone_live', unique: true, partialFilterExpression: { deletedAt: null } },
);
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });
schema.index(
  { deletedAt: 1, firstName: 1, lastName: 1, _id: 1 },
  { name: 'by_first_name', collation: NAME_COLLATION },
);
schema.index({ location: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ approvalStatus: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ role: 1, deletedAt: 1, createdAt: -1, _id: -1 });

/** Matches phone numbers that retention has not erased. */
export const HAS_PHONE_NUMBER = { $gte: '+', $lt: ',' } as const;

declare module '../../platform/rights/actor.ts' {
  interface RequestCaller extends UserRecord {}
  interface SessionOfToken extends UserSession {}
}

export const UserModel = mongoose.model<UserRecord>('User', schema);
