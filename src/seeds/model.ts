import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';

export interface SeedRecord {
  _id: Types.ObjectId;
  /** Also a record in `referralcodes`. */
  referralCode: string;
  kind: 'PLANNED' | 'WALK_IN';
  location: Types.ObjectId;
  note: string | null;
  /** The survey that redeemed its code. */
  survey: Types.ObjectId | null;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  deletedAt: Date | null;
}

const schema = new Schema<SeedRecord>(
  {
    referralCode: String,
    kind: String,
    location: Schema.Types.ObjectId,
    note: String,
    survey: Schema.Types.ObjectId,
    createdBy: Schema.Types.ObjectId,
    createdAt: Date,
    deletedAt: Date,
  },
  { ...schemaOptions, collection: 'seeds' },
);
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ location: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ kind: 1, deletedAt: 1, createdAt: -1, _id: -1 });

declare module '../rights/ability.ts' {
  interface Records {
    Seed: SeedRecord;
  }
}

export const Seeds = mongoose.model<SeedRecord>('Seed', schema);
