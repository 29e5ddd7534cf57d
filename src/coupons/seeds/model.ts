import mongoose, { type Types } from 'mongoose';
import { schemaOf } from '../../platform/db/schema-options.ts';

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

const schema = schemaOf<SeedRecord>('seeds', {
  text: ['referralCode', 'kind', 'note'],
  id: ['location', 'round', 'survey', 'createdBy'],
  date: ['createdAt', 'deletedAt'],
});
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ location: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ round: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ kind: 1, deletedAt: 1, createdAt: -1, _id: -1 });

export const Seeds = mongoose.model<SeedRecord>('Seed', schema);
