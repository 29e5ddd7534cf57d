/**
 * Findings of the quality checks (src/quality) that somebody looked at and dismissed. Findings themselves are not stored.
 * They are stored here because the comments are erased with the survey.
 */
import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../../platform/db/schema-options.ts';

export interface DismissalRecord {
  /** The id of the finding, so that there is one of each. */
  _id: Types.ObjectId;
  check: string;
  /** Null: the finding is about the work of an interviewer. */
  survey: Types.ObjectId | null;
  /** It holds while the finding has this value. */
  value: number | string;
  by: Types.ObjectId;
  /** Empty once it was erased. */
  comment: string;
  createdAt: Date;
}

const schema = new Schema<DismissalRecord>(
  {
    check: String,
    survey: { type: Schema.Types.ObjectId, ref: 'Survey' },
    value: Schema.Types.Mixed,
    by: { type: Schema.Types.ObjectId, ref: 'User' },
    comment: String,
    createdAt: Date,
  },
  schemaOptions('dismissals'),
);
schema.index({ survey: 1 });

export const Dismissals = mongoose.model<DismissalRecord>('Dismissal', schema);
