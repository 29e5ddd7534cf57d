/** The valid one-time codes: at most one per phone. Only a hash is stored. */
import mongoose, { Schema } from 'mongoose';

export interface Otp {
  phone: string;
  /** Keyed hash of the code; null while only the provider knows the code. */
  codeHash: string | null;
  /** Wrong guesses and guesses in progress, by all callers. */
  tries: number;
  /** The same per caller. The key is a keyed hash of the caller's network. */
  triesBy: Record<string, number>;
  /** The same for all callers who had not requested a code. */
  strangersTries: number;
  /** The callers who requested this code or an earlier one that it replaced. */
  askedBy: string[];
  expiresAt: Date;
  /** When it was sent; distinguishes a code from the one that replaced it. */
  createdAt: Date;
}

const schema = new Schema<Otp>(
  {
    phone: { type: String, required: true, unique: true },
    codeHash: { type: String, default: null },
    tries: { type: Number, required: true },
    triesBy: { type: Schema.Types.Mixed, default: {} },
    strangersTries: { type: Number, default: 0 },
    askedBy: { type: [String], default: [] },
    // MongoDB deletes expired codes some time later, so queries check the time too.
    expiresAt: { type: Date, required: true, expires: 0 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'otps', minimize: false, strictQuery: 'throw', versionKey: false },
);

export const Otps = mongoose.model<Otp>('Otp', schema);
