import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';

export interface SeedRecord {
  _id: Types.ObjectId;
  /** Also a record in `referralcodes`. */
  referralCode: string;
  kind: 'PLANNED' | 'WALK_IN';
  location: Types.ObjectId;
  round: Types.ObjectId;
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
    kind: { type: String, enum: ['PLANNED', 'WALK_IN'] },
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    round: { type: Schema.Types.ObjectId, ref: 'Round' },
    note: String,
    survey: { type: Schema.Types.ObjectId, ref: 'Survey' },
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: Date,
    deletedAt: Date,
  },
  schemaOptions('seeds'),
);
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ location: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ round: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ kind: 1, deletedAt: 1, createdAt: -1, _id: -1 });

export const Seeds = mongoose.model<SeedRecord>('Seed', schema);
