/** The live one-time codes: at most one a phone. The code itself is never stored. */
import mongoose, { Schema } from 'mongoose';

export interface Otp {
  phone: string;
  /** Keyed hash of the code; null while only the provider knows the code. */
  codeHash: string | null;
  /** Wrong guesses, and guesses under way, over all callers. */
  tries: number;
  /** The same by caller: a keyed hash of the network that the guess came from. */
  triesBy: Record<string, number>;
  /** Those of callers who had not asked for a code. */
  strangersTries: number;
  /** The callers who asked for this code, or for one that it ended. */
  askedBy: string[];
  expiresAt: Date;
  /** When it was sent; tells a code from the one that replaced it. */
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
    // MongoDB clears away what has expired; the queries look at the time themselves.
    expiresAt: { type: Date, required: true, expires: 0 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'otps', minimize: false, strictQuery: 'throw', versionKey: false },
);

export const Otps = mongoose.model<Otp>('Otp', schema);
