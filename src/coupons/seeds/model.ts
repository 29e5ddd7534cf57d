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
    referralCode: { type: String, required: true },
    kind: { type: String, enum: ['PLANNED', 'WALK_IN'], required: true },
    location: { type: Schema.Types.ObjectId, ref: 'Location', required: true },
    round: { type: Schema.Types.ObjectId, ref: 'Round', required: true },
    note: String,
    survey: { type: Schema.Types.ObjectId, ref: 'Survey' },
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: { type: Date, required: true },
    deletedAt: Date,
  },
  schemaOptions('seeds'),
);
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ location: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ round: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ kind: 1, deletedAt: 1, createdAt: -1, _id: -1 });

export const SeedModel = mongoose.model<SeedRecord>('Seed', schema);
