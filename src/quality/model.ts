/** Findings that somebody looked at and dismissed. Findings themselves are not stored. */
import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';
import type { Finding } from './finding.ts';

export interface DismissalRecord {
  /** The id of the finding, so that there is one of each. */
  _id: Types.ObjectId;
  check: Finding['check'];
  /** It holds while the finding has this value. */
  value: Finding['value'];
  by: Types.ObjectId;
  comment: string;
  createdAt: Date;
}

const schema = new Schema<DismissalRecord>(
  {
    check: String,
    value: Schema.Types.Mixed,
    by: Schema.Types.ObjectId,
    comment: String,
    createdAt: Date,
  },
  { ...schemaOptions, collection: 'dismissals' },
);

export const Dismissals = mongoose.model<DismissalRecord>('Dismissal', schema);
