/**
 * The valid one-time codes: at most one by message and one from a colleague per phone. Only hashes are stored.
 */
import mongoose, { Schema, type Types } from 'mongoose';
import type { Grant, Role } from '../../../study/users/schema.ts';

export interface OtpRecord {
  phone: string;
  /** Keyed hash of the code; null while only the provider knows the code. */
  codeHash: string | null;
  /** Wrong guesses and guesses in progress, by all callers. */
  tries: number;
  /** The same per caller. The key is a keyed hash of the caller's network. */
  triesBy: Record<string, number>;
  /** The same for all callers who hadn't requested a code. */
  strangersTries: number;
  /** The callers who requested this code or an earlier one that it replaced: networks and the phone's own devices. */
  askedBy: string[];
  expiresAt: Date;
  /** When it was sent; distinguishes a code from the one that replaced it. */
  createdAt: Date;
}

/**
 * A code that a colleague created for someone who gets no messages. Stored separately from `OtpModel`, so that requesting a
 * message, which anyone can do, doesn't invalidate it.
 */
export interface SignInCodeRecord extends OtpRecord {
  by: Types.ObjectId;
  user: Types.ObjectId;
  /** Keyed hash of the long code in the link, for which guesses need no limit. */
  linkHash: string;
  /**
   * Copied from the user when the code was created: the code becomes invalid if these change, or if the user is signed
   * out everywhere.
   */
  role: Role;
  permissions: Grant[];
  tokenGeneration: number;
}

const FIELDS = {
  phone: { type: String, required: true, unique: true },
  codeHash: { type: String, default: null },
  tries: { type: Number, required: true },
  triesBy: { type: Schema.Types.Mixed, default: {} },
  strangersTries: { type: Number, default: 0 },
  askedBy: { type: [String], default: [] },
  // MongoDB deletes expired codes with a delay, so queries check the time too.
  expiresAt: { type: Date, required: true, expires: 0 },
  createdAt: { type: Date, required: true },
};
const OPTIONS = { minimize: false, strictQuery: 'throw', versionKey: false } as const;

const otpSchema = new Schema<OtpRecord>(FIELDS, { ...OPTIONS, collection: 'otps' });
const signInCodeSchema = new Schema<SignInCodeRecord>(
  {
    ...FIELDS,
    by: { type: Schema.Types.ObjectId, required: true },
    user: { type: Schema.Types.ObjectId, required: true },
    linkHash: { type: String, default: '', required: true },
    role: { type: String, required: true },
    permissions: { type: Schema.Types.Mixed, default: [], required: true },
    tokenGeneration: { type: Number, required: true },
  },
  { ...OPTIONS, collection: 'signincodes' },
);

export const OtpModel = mongoose.model<OtpRecord>('Otp', otpSchema);
export const SignInCodeModel = mongoose.model<SignInCodeRecord>('SignInCode', signInCodeSchema);
